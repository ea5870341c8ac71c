/** Counts of times, in steps of about one per cent. */
export type Histogram = {
  add(ms: number): void;
  count(): number;
  /** The time that a share of all stays below; 0 where there is none. */
  quantile(share: number): number;
  most(): number;
};

const stepsPerDoubling = 64;
const doublings = 32;

export function createHistogram(): Histogram {
  const counts = new Float64Array(stepsPerDoubling * doublings);
  let count = 0;
  let most = 0;
  return {
    add(ms) {
      const place = ms <= 0 ? 0 : Math.min(counts.length - 1, Math.round(Math.log2(ms + 1) * stepsPerDoubling));
      counts[place] = (counts[place] ?? 0) + 1;
      count++;
      if (ms > most) most = ms;
    },
    count: () => count,
    quantile(share) {
      let left = count * share;
      for (let place = 0; place < counts.length; place++) {
        left -= counts[place] ?? 0;
        if (left <= 0 && count > 0) return 2 ** (place / stepsPerDoubling) - 1;
      }
      return 0;
    },
    most: () => most,
  };
}
