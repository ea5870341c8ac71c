/** One value per round of everything measured, by target and name. */
export type Samples = {
  add(target: string, metric: string, value: number): void;
  /** By round; empty when it was not measured. */
  of(target: string, metric: string): readonly number[];
  /** What begins with some words and was kept for a target, added up, by the rest of its name. */
  sums(target: string, beginning: string): ReadonlyMap<string, number>;
  /** The median of the rounds; NaN without one. */
  median(target: string, metric: string): number;
  /** The median of what a target adds, each round compared with itself. */
  added(target: string, base: string, metric: string): number;
};

export function createSamples(): Samples {
  const book = new Map<string, number[]>();
  const of = (target: string, metric: string) => book.get(`${target} ${metric}`) ?? [];
  return {
    add: (target, metric, value) => void book.set(`${target} ${metric}`, [...of(target, metric), value]),
    of,
    sums: (target, beginning) => {
      const start = `${target} ${beginning}`;
      const kept = [...book].filter(([name]) => name.startsWith(start));
      return new Map(kept.map(([name, list]) => [name.slice(start.length), list.reduce((sum, value) => sum + value, 0)]));
    },
    median: (target, metric) => medianOf(of(target, metric)),
    added: (target, base, metric) => {
      const beside = of(base, metric);
      return medianOf(of(target, metric).map((value, round) => value - (beside[round] ?? Number.NaN)));
    },
  };
}

/** Values that are no numbers are left out; NaN when nothing remains. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
