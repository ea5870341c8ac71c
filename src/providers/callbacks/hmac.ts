import { createHmac, timingSafeEqual } from "node:crypto";
import type { Heard } from "../../core/provider.ts";

/** What a message was signed with, over what, and how the signature is written. */
export type Signing = { key: string | Uint8Array; over: readonly (string | Uint8Array)[]; as: "hex" | "base64" };

/** Whether a signature is the HMAC-SHA256 of what it should be over; how far a wrong one is right does not show in the time it takes. */
export function isHmac(signature: string, { key, over, as }: Signing): boolean {
  const hmac = createHmac("sha256", key);
  for (const part of over) hmac.update(part);
  const right = Buffer.from(hmac.digest(as));
  const given = Buffer.from(signature);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Whether a time in whole seconds is no further from now than the window, on either side. */
export function isRecent(seconds: string, nowMs: number, windowSeconds: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(nowMs / 1_000 - Number(seconds)) <= windowSeconds;
}

export const genuine: Heard = { state: "genuine" };

export function forged(cause: string): Heard {
  return { state: "forged", cause };
}
