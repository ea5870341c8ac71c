import { retryAfterOf } from "./genway-error.ts";

/** Sends one request; rejects when there was no reply. */
export type Send = (request: Request) => Promise<Response>;

export type TransportOptions = {
  key?: string | null | undefined;
  account?: string | undefined;
  /** How often a request is repeated at most. */
  retries?: number | undefined;
  send: Send;
  pause(ms: number, signal: AbortSignal): Promise<void>;
  random(): number;
  makeKey(): string;
};

const firstPauseMs = 500;
const longestPauseMs = 8_000;
/** Whoever asks for more patience than this is not asked again. */
const longestRetryAfterSeconds = 60;

/** Shows the key, gives creates an idempotency key that all their tries share, and repeats what may be repeated. */
export function createTransport({ key, account, retries = 3, send, pause, random, makeKey }: TransportOptions): Send {
  function pauseMs(tries: number, asked: number | null): number {
    if (asked !== null) return asked * 1000;
    return Math.min(firstPauseMs * 2 ** tries, longestPauseMs) * (0.5 + random() / 2);
  }

  return async (request) => {
    const { headers, method, signal } = request;
    if (key && !headers.has("authorization")) headers.set("authorization", `Bearer ${key}`);
    if (account !== undefined && !headers.has("x-genway-account")) headers.set("x-genway-account", account);
    if (method === "POST" && !headers.has("idempotency-key")) headers.set("idempotency-key", makeKey());
    const isSafe = mayRepeat(request);
    for (let tries = 0; ; tries += 1) {
      const isLast = tries >= retries;
      try {
        // A body can be read once; what is sent again is sent as a copy.
        const response = await send(isLast ? request : request.clone());
        const asked = retryAfterOf(response);
        if (isLast || !isWorthAnother(response.status, tries, isSafe) || (asked ?? 0) > longestRetryAfterSeconds) return response;
        await response.body?.cancel();
        await pause(pauseMs(tries, asked), signal);
      } catch (error) {
        if (isLast || signal.aborted || !isSafe) throw error;
        await pause(pauseMs(tries, null), signal);
      }
    }
  };
}

/** Whether a status is one that passes. */
function isWorthAnother(status: number, tries: number, isSafe: boolean): boolean {
  if (status === 429 || status === 503) return true;
  // Our own first try may still be under way.
  if (status === 409) return isSafe && tries > 0;
  return isSafe && (status === 502 || status === 504);
}

const unkeyed = /\/(admin|console)\/|\/v1\/(webhooks|files|tasks)(\/|$)/;

/** Whether a request does no harm when it arrives twice: it only reads, or its idempotency key is honoured. */
function mayRepeat({ method, url }: Request): boolean {
  if (method === "GET" || method === "HEAD") return true;
  return method === "POST" && !unkeyed.test(url.split("?")[0] ?? "");
}

/** Waits, unless the signal ends it. */
export function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
