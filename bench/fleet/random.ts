/** Chance that repeats itself: the same seed gives the same numbers. */
export type Random = {
  /** At least 0, below 1. */
  unit(): number;
  /** Waiting time of a thing that happens once in `mean`. */
  exponential(mean: number): number;
  /** Half of the values lie below the median; `spread` is the standard deviation of their logarithm. */
  lognormal(median: number, spread: number): number;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    unit,
    exponential: (mean) => -Math.log(1 - unit()) * mean,
    lognormal: (median, spread) => median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit())),
  };
}

/** Draws places by weight. */
export function createLot(weights: readonly number[]): (random: Random) => number {
  const sums = new Float64Array(weights.length);
  let sum = 0;
  for (const [place, weight] of weights.entries()) sums[place] = sum += weight;
  return (random) => {
    const aim = random.unit() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > aim) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
