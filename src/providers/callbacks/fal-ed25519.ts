import { createHash, createPublicKey, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { readUntrusted } from "../../kit/fetch-untrusted.ts";
import { readPath } from "../job/path.ts";
import type { Verifier } from "../job/spec.ts";
import { forged, genuine, isRecent } from "./hmac.ts";

const windowSeconds = 300;
const usualAddress = "https://rest.fal.ai/.well-known/jwks.json";
const rememberMs = 24 * 60 * 60 * 1_000;

/** Messages of fal: signed with one of the keys it publishes, which are fetched and remembered for a day. */
export const falEd25519: Verifier = async ({ headers, body, now }, { options }) => {
  const header = (name: string) => headers[`x-fal-webhook-${name}`] ?? "";
  const [request, user, time, signature] = ["request-id", "user-id", "timestamp", "signature"].map(header);
  if (!request || !user || !time || !/^[0-9a-f]{128}$/i.test(signature ?? "")) return forged("the message is not signed");
  if (!isRecent(time, now, windowSeconds)) return forged("the message is old, or from the future");
  const own = options["jwks_url"];
  const keys = await publicKeys(typeof own === "string" ? own : usualAddress, typeof own === "string", now);
  if (typeof keys === "string") return forged(keys);
  const text = Buffer.from([request, user, time, createHash("sha256").update(body).digest("hex")].join("\n"));
  const given = Buffer.from(signature ?? "", "hex");
  return keys.some((key) => verify(null, text, key, given)) ? genuine : forged("the signature is wrong");
};

type Remembered = { keys: Promise<KeyObject[] | string>; fetchedAt: number };
const remembered = new Map<string, Remembered>();

/** The keys at an address, or why there are none; only a fetch that worked is remembered. */
function publicKeys(address: string, isOperators: boolean, nowMs: number): Promise<KeyObject[] | string> {
  const known = remembered.get(address);
  if (known && Math.abs(nowMs - known.fetchedAt) < rememberMs) return known.keys;
  const keys = fetchKeys(address, isOperators).catch((error: unknown) => `the public keys could not be fetched: ${String(error)}`);
  remembered.set(address, { keys, fetchedAt: nowMs });
  void keys.then((found) => {
    if (typeof found === "string" || found.length === 0) remembered.delete(address);
  });
  return keys;
}

// An address that the operator wrote may lie in the operator's own network.
async function fetchKeys(address: string, isOperators: boolean): Promise<KeyObject[]> {
  const allow = { has: () => isOperators };
  const { bytes } = await readUntrusted(address, { maxBytes: 100_000, timeoutMs: 10_000, allow });
  const list = readPath(JSON.parse(new TextDecoder().decode(bytes)), "keys");
  return Array.isArray(list) ? list.slice(0, 20).flatMap((entry) => keyOf(readPath(entry, "x")) ?? []) : [];
}

function keyOf(x: unknown): KeyObject | null {
  if (typeof x !== "string" || Buffer.from(x, "base64url").length !== 32) return null;
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
