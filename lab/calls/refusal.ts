import type { Fault } from "../script.ts";
import type { CallNo, CallRefusal } from "./upstream.ts";

const reasons: readonly CallNo[] = ["auth", "invalid", "quota", "rate_limit", "content_policy", "context", "missing", "down"];
const reasonOfStatus: Record<string, CallNo> = { 401: "auth", 402: "quota", 403: "auth", 404: "missing", 429: "rate_limit" };

/** The refusal that a fault asks for; null where it spoils the reply in another way. */
export function refusalOf({ name, value }: Fault, key: string, retryAfterSeconds: number): CallRefusal | null {
  // Real upstreams repeat the key, and so their words must never be passed on as they are.
  const says = `The lab was told to refuse (key ${key}).`;
  if (name === "refuse") return { reason: reasons.find((reason) => reason === value) ?? "invalid", says, retrySeconds: retryAfterSeconds };
  if (!/^[45]\d\d$/.test(name)) return null;
  const reason = reasonOfStatus[name] ?? (name.startsWith("5") ? "down" : "invalid");
  const seconds = value === "" ? retryAfterSeconds : Number(value);
  const hints = name === "429" || value !== "";
  return { reason, says, status: Number(name), ...(hints && seconds >= 0 && { retrySeconds: seconds }) };
}
