/** When to ask an upstream again, and which share of a queue comes next. */

export type Pace = { everyMs: number; expectedMs: number };

const slowestMs = 30_000;

/** The wait before the next poll of a job: long while it cannot be done yet, short around the time such jobs end, slower when it is late. */
export function pollDelayMs(ageMs: number, { everyMs, expectedMs }: Pace): number {
  const remaining = expectedMs - ageMs;
  const wish = remaining > 0 ? remaining / 2 : -remaining / 4;
  const bounded = Math.min(Math.max(wish, everyMs), Math.max(everyMs, slowestMs));
  return quantize(bounded);
}

// Few distinct values let a whole batch of waiting rows move in one statement.
function quantize(ms: number): number {
  const step = ms < 2_000 ? 250 : ms < 10_000 ? 1_000 : 2_500;
  return Math.max(step, Math.round(ms / step) * step);
}

/** The place of new work in a fair queue: after the account's last one, but never before the work being served now. */
export function nextRank(accountRank: number | undefined, laneRank: number | undefined): number {
  return Math.max(accountRank ?? 0, laneRank ?? 0) + 1;
}

const backoffMs = [1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000];

/** The wait before an attempt is repeated. */
export function retryDelayMs(attempt: number, retryAfterMs: number | undefined): number {
  const own = backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? 60_000;
  return Math.min(Math.max(own, retryAfterMs ?? 0), 600_000);
}
