import type { Polled } from "../../core/provider.ts";

/** The question failed; the job goes on. */
export function trouble(cause: string, retryAfterMs?: number): Extract<Polled, { state: "trouble" }> {
  return { state: "trouble", cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
