import type { Verifier } from "../job/spec.ts";
import { forged, genuine, isHmac, isRecent } from "./hmac.ts";

/** A header of the form "t=<seconds>,<version>=<hex>", signed over the time, a sign between, and the body. */
export type TimedSignature = { header: string; version: string; between: string; windowSeconds: number };

export function createTimedVerifier({ header, version, between, windowSeconds }: TimedSignature): Verifier {
  return ({ headers, body, now }, { webhook }) => {
    // Without a secret nothing can be checked; the address itself is a secret, and a message is only a reason to ask.
    if (!webhook) return genuine;
    const fields = (headers[header] ?? "").split(",").map((field) => field.trim());
    const valuesOf = (name: string) => fields.flatMap((field) => (field.startsWith(`${name}=`) ? [field.slice(name.length + 1)] : []));
    const [time = ""] = valuesOf("t");
    const signatures = valuesOf(version);
    if (time === "" || signatures.length === 0) return forged("the message is not signed");
    if (!isRecent(time, now, windowSeconds)) return forged("the message is old, or from the future");
    const signing = { key: webhook, over: [time, between, body], as: "hex" } as const;
    // More than one while a secret is being changed for another.
    return signatures.some((signature) => isHmac(signature.toLowerCase(), signing)) ? genuine : forged("the signature is wrong");
  };
}
