import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A new secret of an endpoint: "whsec_" and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export type Message = {
  /** The same at every try, so that the receiver can tell a repetition. */
  id: string;
  timestampMs: number;
  /** Several while a secret is being changed: a receiver with any of them can verify. */
  secrets: readonly string[];
  body: string;
};

/** The headers of Standard Webhooks 1.0 for one try at a message. */
export function signMessage({ id, timestampMs, secrets, body }: Message): Record<string, string> {
  if (secrets.length === 0) throw new Error("a webhook needs at least one secret");
  const at = new Date(timestampMs);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(timestampMs / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
