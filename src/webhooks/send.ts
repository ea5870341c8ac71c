import { fetchUntrusted, UntrustedUrlError } from "../kit/fetch-untrusted.ts";
import type { UntrustedRequest } from "../kit/fetch-untrusted.ts";
import { signMessage } from "./sign.ts";
import type { Message } from "./sign.ts";

export type WebhookTry = Message & Pick<UntrustedRequest, "allow" | "resolve" | "signal"> & { url: string; timeoutMs?: number };

export type WebhookOutcome =
  | { state: "delivered"; status: number }
  /** The receiver wants no more messages at this address. */
  | { state: "gone"; status: 410 }
  /** `cause` never holds a word of what the receiver sent. */
  | { state: "failed"; status: number | null; cause: string; retryAfterMs?: number };

/** One signed try at a message; throws only the reason of its own `signal`, since such a try says nothing about the receiver. */
export async function sendWebhook({ url, allow, resolve, signal, timeoutMs = 15_000, ...message }: WebhookTry): Promise<WebhookOutcome> {
  try {
    const { status, headers } = await fetchUntrusted(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signMessage(message) },
      body: message.body,
      maxBytes: 0,
      redirects: 0,
      timeoutMs,
      allow,
      resolve,
      signal,
    });
    if (status >= 200 && status <= 299) return { state: "delivered", status };
    if (status === 410) return { state: "gone", status };
    const cause = status >= 300 && status <= 399 ? `answered ${status}; redirects are not followed` : `answered ${status}`;
    return { state: "failed", status, cause, ...retryAfter(headers["retry-after"], Date.now()) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UntrustedUrlError) return { state: "failed", status: null, cause: error.message };
    throw error;
  }
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const delaysMs = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** How long to wait before the next try when `attempt` have been made, a tenth more or less by chance (`random` gives 0 to 1); null = give up. */
export function retryDelayMs(attempt: number, random: () => number): number | null {
  const delay = delaysMs[attempt];
  return delay === undefined ? null : Math.round(delay * (0.9 + 0.2 * random()));
}

/** Seconds or a date, as HTTP has it; a receiver may put us off for a day at most. */
function retryAfter(text: string | undefined, nowMs: number): { retryAfterMs?: number } {
  if (text === undefined) return {};
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * second : Date.parse(text) - nowMs;
  return ms >= 0 ? { retryAfterMs: Math.min(ms, 24 * hour) } : {};
}
