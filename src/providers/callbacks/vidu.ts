import type { CallbackMessage } from "../../core/provider.ts";
import type { Verifier } from "../job/spec.ts";
import { forged, genuine, isHmac } from "./hmac.ts";

const windowMs = 300_000;
const accessKey = "vidu";

/** Messages of Vidu: the signature covers the request line, the date and a nonce, but not the body; each is taken once. */
export const vidu: Verifier = (message, { credential }) => {
  const { headers, now } = message;
  const signature = headers["x-hmac-signature"] ?? "";
  const nonce = headers["x-request-nonce"] ?? "";
  const sentAt = Date.parse(headers["date"] ?? "");
  const signed = (headers["x-hmac-signed-headers"] ?? "").split(";").map((name) => name.trim());
  if (signature === "" || credential === "" || !isHmacRequest(message)) return forged("the message is not signed");
  if (nonce === "" || !signed.some((name) => name.toLowerCase() === "x-request-nonce")) return forged("the nonce is not signed");
  if (!(Math.abs(now - sentAt) <= windowMs)) return forged("the message is old, or from the future");
  if (!isHmac(signature, { key: credential, over: [signedText(message, signed)], as: "base64" })) return forged("the signature is wrong");
  return nonces.isNew(nonce, sentAt + windowMs, now) ? genuine : forged("the message came before");
};

function isHmacRequest({ headers }: CallbackMessage): boolean {
  return headers["x-hmac-access-key"] === accessKey && headers["x-hmac-algorithm"]?.toLowerCase() === "hmac-sha256";
}

function signedText({ method, path, query, headers }: CallbackMessage, signed: readonly string[]): string {
  const lines = signed.map((name) => `${name}:${headers[name.toLowerCase()] ?? ""}`);
  return [method.toUpperCase(), path, query, accessKey, headers["date"] ?? "", ...lines, ""].join("\n");
}

/** What was taken and could still be sent again; only genuine messages get here, so that strangers cannot fill it. */
function createNonces() {
  const seen = new Map<string, number>();
  return {
    isNew(nonce: string, untilMs: number, nowMs: number): boolean {
      for (const [old, until] of seen) if (until < nowMs) seen.delete(old);
      if (seen.has(nonce)) return false;
      seen.set(nonce, untilMs);
      return true;
    },
  };
}

const nonces = createNonces();
