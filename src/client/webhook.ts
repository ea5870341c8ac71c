import { Webhook } from "standardwebhooks";
import { GenwayError } from "./genway-error.ts";
import { textIn, valueIn } from "./reading.ts";

/** What an event says: `data` is the record of its subject, in the words of the group it came in through. */
export type WebhookEvent = { type: string; timestamp: string; data: unknown };

type HeaderBag = Headers | Readonly<Record<string, string | string[] | undefined>>;

const needed = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/** The event that a message brings; throws unless it was signed with the secret less than five minutes ago. `body` is the text exactly as it came. */
export function verifyWebhook(body: string, headers: HeaderBag, secret: string): WebhookEvent {
  try {
    const shown = Object.fromEntries(needed.map((name) => [name, headerOf(headers, name)]));
    const message = new Webhook(secret).verify(body, shown);
    return { type: textIn(message, "type") ?? "", timestamp: textIn(message, "timestamp") ?? "", data: valueIn(message, "data") };
  } catch (cause) {
    const says = cause instanceof Error ? cause.message : String(cause);
    throw new GenwayError(`The message is not to be trusted: ${says}.`, { status: 0, code: "invalid_signature", cause });
  }
}

function headerOf(headers: HeaderBag, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}
