import { setTimeout as sleep } from "node:timers/promises";

export type Patience = { withinMs?: number; everyMs?: number; /** What was waited for, for the message. */ what?: string };

/** Asks until there is an answer; throws when the time is up. */
export async function eventually<T>(
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  patience: Patience = {},
): Promise<T> {
  const { withinMs = 60_000, everyMs = 40, what = "what the test waits for" } = patience;
  const until = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > until) throw new Error(`${what} did not come within ${withinMs / 1000} s`);
    await sleep(everyMs);
  }
}
