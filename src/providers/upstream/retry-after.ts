import { readPath } from "../job/path.ts";

const longestMs = 24 * 60 * 60 * 1_000;

/** How long an upstream asks us to wait, in any of the spellings upstreams use; absent where it does not say. */
export function readRetryAfter(headers: Record<string, string>, body: unknown, nowMs: number = Date.now()): number | undefined {
  const waits = [
    scaled(headers["retry-after-ms"], 1),
    scaled(headers["retry-after"], 1_000),
    until(headers["retry-after"], nowMs),
    ...detailsOf(body).map((detail) => scaled(readPath(detail, "retryDelay"), 1_000)),
    scaled(readPath(body, "retry_after"), 1_000),
    fromText(readPath(body, "detail")),
  ];
  const wait = waits.find((ms) => ms !== undefined);
  return wait === undefined ? undefined : Math.min(Math.max(Math.ceil(wait), 0), longestMs);
}

// Digits alone, or with the unit that Google's delays carry ("34s").
function scaled(value: unknown, unitMs: number): number | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^\s*\d+(\.\d+)?\s*s?\s*$/.test(text)) return undefined;
  return Number.parseFloat(text) * unitMs;
}

function until(value: string | undefined, nowMs: number): number | undefined {
  const at = value === undefined || !/[a-z]/i.test(value) ? Number.NaN : Date.parse(value);
  return Number.isNaN(at) ? undefined : at - nowMs;
}

function detailsOf(body: unknown): readonly unknown[] {
  const details = readPath(body, "error.details");
  return Array.isArray(details) ? details.slice(0, 20) : [];
}

// "Your rate limit resets in ~30s."
function fromText(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? /resets in ~?(\d{1,5})\s?s/.exec(value.slice(0, 1_000))?.[1] : undefined;
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
