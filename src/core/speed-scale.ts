/** A scale for times: each step is longer than the one before it by the square root of two, so that two steps double. */

/** How many of each step. */
export type Histogram = ReadonlyMap<number, number>;

// Twelve days.
const lastStep = 60;

/** The step that a time falls into: step n holds what is longer than msOf(n - 1) and not longer than msOf(n). */
export function stepOf(ms: number): number {
  return ms <= 1 ? 0 : Math.min(lastStep, Math.ceil(2 * Math.log2(ms)));
}

/** The longest time of a step. */
export function msOf(step: number): number {
  return 2 ** (step / 2);
}

/** The time that a share of all did not exceed, as if the times within a step lay evenly; null where there are none. */
export function percentile(histogram: Histogram, share: number): number | null {
  const steps = [...histogram].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = steps.reduce((sum, [, count]) => sum + count, 0);
  let left = total * share;
  for (const [step, count] of steps) {
    if (left > count) {
      left -= count;
      continue;
    }
    const from = step === 0 ? 0 : msOf(step - 1);
    return from + (msOf(step) - from) * Math.max(0, left / count);
  }
  // Only what rounding left over comes here.
  const last = steps.at(-1);
  return last === undefined ? null : msOf(last[0]);
}
