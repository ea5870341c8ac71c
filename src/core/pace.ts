/** When to ask an upstream again, and which share of a queue comes next. */

/** How the jobs of a queue are asked about: never faster than `everyMs`, and `perSecond` of them at most. */
export type Pace = {
  everyMs: number;
  perSecond: number;
  /** How long such jobs take; null until that is known. */
  expectedMs: number | null;
  /** About how many jobs the upstream can be asked in one request. */
  atOnce: number;
};

const slowestMs = 30_000;

/** The wait before the next poll of a job: until it may be done, then a tenth of its age each time, and longer in a crowd. */
export function pollDelayMs(ageMs: number, { everyMs, perSecond, expectedMs }: Omit<Pace, "atOnce">, crowd: number): number {
  const early = expectedMs === null ? 0 : expectedMs * 0.7 - ageMs;
  const wish = early > 0 ? early : ageMs * 0.1;
  const fastest = Math.max(everyMs, (crowd / perSecond) * 1_000);
  return quantize(Math.min(Math.max(wish, fastest), Math.max(fastest, slowestMs)));
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
