import type { TestGateway } from "../support/gateway.ts";

export type Sample = { name: string; labels: Record<string, string>; value: number };

/** What a node shows to Prometheus, as whoever may see it reads it. */
export async function samplesOf({ metrics }: Pick<TestGateway, "metrics">): Promise<Sample[]> {
  const { text } = await metrics();
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = "", labels = "", value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", said = ""]) => [label, said])),
    value: Number(value),
  }));
}

/** The sum of the samples of a name whose labels are among those given; null where there is none. */
export function figure(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number | null {
  const fit = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([label, is]) => sample.labels[label] === is),
  );
  return fit.length === 0 ? null : fit.reduce((sum, { value }) => sum + value, 0);
}
