import type { Verifier } from "../job/spec.ts";
import { forged, genuine, isHmac, isRecent } from "./hmac.ts";

const windowSeconds = 300;

/** Messages signed after Standard Webhooks 1.0, with the secret that the operator made at the upstream. */
export const standardWebhooks: Verifier = ({ headers, body, now }, { webhook }) => {
  // Without a secret nothing can be checked; the address itself is a secret, and a message is only a reason to ask.
  if (!webhook) return genuine;
  const key = Buffer.from(webhook.replace(/^whsec_/, ""), "base64");
  // An empty key is one that everybody has.
  if (key.length === 0) return forged("the webhook secret in the configuration is not base64");
  const id = headers["webhook-id"] ?? "";
  const time = headers["webhook-timestamp"] ?? "";
  const signatures = (headers["webhook-signature"] ?? "").split(" ").flatMap((one) => (one.startsWith("v1,") ? [one.slice(3)] : []));
  if (id === "" || time === "" || signatures.length === 0) return forged("the message is not signed");
  if (!isRecent(time, now, windowSeconds)) return forged("the message is old, or from the future");
  const signing = { key, over: [id, ".", time, ".", body], as: "base64" } as const;
  // More than one while a secret is being changed for another.
  return signatures.some((signature) => isHmac(signature, signing)) ? genuine : forged("the signature is wrong");
};
