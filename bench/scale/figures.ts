import { readRunFile } from "../../src/config/run-file.ts";
import type { BenchService } from "../service.ts";

/** What /metrics showed at one moment, all workers together. */
export type Figures = {
  /** The sum of a metric over all its labels. */
  sum(name: RegExp): number;
  /** The highest value of a metric that every worker reads from the same database. */
  shared(name: RegExp): number;
  /** The buckets of a histogram, each with all that lies below it. */
  buckets(name: string): Bucket[];
};

export type Bucket = { limit: number; count: number };

export async function readFigures({ url, dataDir }: BenchService): Promise<Figures> {
  const headers = { authorization: `Bearer ${readRunFile(dataDir)?.token}` };
  return parseFigures(await (await fetch(`${url}/metrics`, { headers })).text());
}

export function parseFigures(text: string): Figures {
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = "", labels = "", value]) => ({
    name,
    labels,
    value: Number(value),
  }));
  const those = (name: RegExp) =>
    samples.filter((sample) => name.test(sample.labels === "" ? sample.name : `${sample.name}{${sample.labels}}`));
  return {
    sum: (name) => those(name).reduce((sum, { value }) => sum + value, 0),
    shared(name) {
      const byWorker = new Map<string, number>();
      for (const { labels, value } of those(name)) {
        const worker = /worker="(\d+)"/.exec(labels)?.[1] ?? "";
        byWorker.set(worker, (byWorker.get(worker) ?? 0) + value);
      }
      return Math.max(0, ...byWorker.values());
    },
    buckets(name) {
      const counts = new Map<number, number>();
      for (const sample of samples) {
        const limit = sample.name === `${name}_bucket` ? /le="([^"]+)"/.exec(sample.labels)?.[1] : undefined;
        if (limit === undefined) continue;
        const at = limit === "+Inf" ? Infinity : Number(limit);
        counts.set(at, (counts.get(at) ?? 0) + sample.value);
      }
      return [...counts].map(([limit, count]) => ({ limit, count })).toSorted((a, b) => a.limit - b.limit);
    },
  };
}

/** What came into the buckets between two moments. */
export function between(before: readonly Bucket[], after: readonly Bucket[]): Bucket[] {
  return after.map(({ limit, count }) => ({ limit, count: count - (before.find((one) => one.limit === limit)?.count ?? 0) }));
}

/** The bound below which a share of the values lies; NaN without any. */
export function quantile(buckets: readonly Bucket[], share: number): number {
  const all = buckets.at(-1)?.count ?? 0;
  return all === 0 ? Number.NaN : (buckets.find(({ count }) => count >= all * share)?.limit ?? Number.NaN);
}
