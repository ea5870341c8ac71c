import { createHmac } from "node:crypto";
import type { MakeToken } from "./upstream.ts";

const lifetimeSeconds = 1_800;
// A clock behind ours must find the token valid already, and one that is still on its way must not end there.
const earlySeconds = 5;
const spareSeconds = 120;
const maxKept = 256;

/** Shows a key written "ACCESS:SECRET" as a JWT of half an hour (HS256), made anew shortly before it ends; any other key as it is. */
export function createKeyPairToken(): MakeToken {
  const kept = new Map<string, { token: string; until: number }>();
  return (secret, nowMs) => {
    const colon = secret.indexOf(":");
    if (colon <= 0) return secret;
    const now = Math.floor(nowMs / 1_000);
    const known = kept.get(secret);
    // A clock that was set back would show a token that is not valid yet.
    if (known && now < known.until && now > known.until - lifetimeSeconds) return known.token;
    const claims = { iss: secret.slice(0, colon), exp: now + lifetimeSeconds, nbf: now - earlySeconds };
    const token = signJwt(claims, secret.slice(colon + 1));
    if (kept.size >= maxKept) kept.clear();
    kept.set(secret, { token, until: now + lifetimeSeconds - spareSeconds });
    return token;
  };
}

/** A JWT signed with HS256. */
export function signJwt(claims: Readonly<Record<string, string | number>>, key: string): string {
  const signed = [{ alg: "HS256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}
