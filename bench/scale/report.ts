import type { Row } from "../gateways/figures.ts";
import type { Samples } from "../gateways/samples.ts";
import type { Window } from "./rounds.ts";

const windows: readonly Window[] = ["submits", "calls"];
const allowed = 0.25;

/** The medians of the rounds, for each stage a column; the first one is what the others are compared with. */
export function scaleRows(samples: Samples, titles: readonly string[]): Row[] {
  const row = (label: string, metric: string, digits: number): Row => ({
    label,
    cells: titles.map((title) => number(samples.median(title, metric), digits)),
  });
  const [first = ""] = titles;
  const times = (label: string, metric: string): Row => ({
    label,
    cells: titles.map((title) => number(samples.median(title, metric) / samples.median(first, metric), 2)),
  });
  const spread = (label: string, metric: string): Row => ({ label, cells: titles.map((title) => range(samples.of(title, metric))) });
  return windows.flatMap((name) => [
    { label: `${name}, the same load for each process`, cells: null },
    row("processor of the gateway, µs each", `${name} gateway`, 0),
    times("the same, times the first", `${name} gateway`),
    spread("its rounds, lowest to highest", `${name} gateway`),
    row("processor of the database, µs each", `${name} database`, 0),
    row("p50, ms", `${name} p50`, 1),
    row("p99, ms", `${name} p99`, 1),
    { label: `${name}, as many as the machine bears`, cells: null },
    row("a second", `full ${name} rate`, 0),
    spread("its rounds, lowest to highest", `full ${name} rate`),
    row("processor of the gateway, µs each", `full ${name} gateway`, 0),
    row("processor of the database, µs each", `full ${name} database`, 0),
  ]);
}

/** Whether a request costs the same however many processes there are, one sentence for each kind of request. */
export function scaleVerdicts(samples: Samples, titles: readonly string[]): { says: string; isGood: boolean }[] {
  const [first = "", ...others] = titles;
  return windows.flatMap((name) =>
    others.map((title) => {
      const ratio = samples.median(title, `${name} gateway`) / samples.median(first, `${name} gateway`);
      const isGood = Math.abs(ratio - 1) <= allowed || ratio < 1;
      const verdict = isGood ? "flat within 25 %" : "NOT flat within 25 %";
      return { says: `${name}: ${title} take ${number(ratio, 2)} times the processor time of ${first} a request: ${verdict}`, isGood };
    }),
  );
}

/** What went wrong, with how often. */
export function scaleFailures(samples: Samples, titles: readonly string[]): string[] {
  return titles.flatMap((title) => [...samples.sums(title, "failed ")].map(([what, times]) => `${title}: ${what}, ${times} times`));
}

function range(values: readonly number[]): string {
  return values.length === 0 ? "–" : `${number(Math.min(...values), 0)}–${number(Math.max(...values), 0)}`;
}

function number(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : "–";
}
