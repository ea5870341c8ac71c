import { cellName, crowd, streamsAtOnce } from "./rounds.ts";
import type { Samples } from "./samples.ts";
import type { DelayMs, Size } from "./exchange.ts";

/** A line of the table: a heading, or what each target shows under a label. */
export type Row = { label: string; cells: readonly string[] | null };

type Show = (target: string) => string;

/** Every figure that the run gives, ready to be printed. */
export function rowsOf(samples: Samples, targets: readonly string[], seconds: number): Row[] {
  const row = (label: string, show: Show): Row => ({ label, cells: targets.map(show) });
  const heading = (label: string): Row => ({ label, cells: null });
  const own =
    (metric: string, digits = 0): Show =>
    (target) =>
      number(samples.median(target, metric), digits);
  const cell = (size: Size, delayMs: DelayMs) => {
    const [one, many] = [cellName(1, size, delayMs), cellName(32, size, delayMs)];
    return [
      row("p50, 1 connection, µs", added(samples, `${one} p50`)),
      ...(delayMs === 0 ? [row("p99, 1 connection, µs", added(samples, `${one} p99`))] : []),
      row("processor a request, 32 connections, µs", own(`${many} processor`)),
      ...(delayMs === 0 ? [row("requests a second, 32 connections", own(`${many} rate`))] : []),
    ];
  };
  const small = cellName(32, "small", 0);
  return [
    heading("upstream answers at once, small bodies"),
    ...cell("small", 0),
    row("processor, lowest to highest round, µs", range(samples, `${small} processor`)),
    row("processor, times the bare proxy's", (target) => ratio(samples, `${small} processor`, target, "bare")),
    heading("upstream answers at once, 10 KB each way"),
    ...cell("large", 0),
    heading("upstream answers after 60 ms, small bodies"),
    ...cell("small", 60),
    heading("upstream answers after 60 ms, 10 KB each way"),
    ...cell("large", 60),
    heading("streams, a frame every 20 ms"),
    row("time to first token, 1 connection, µs", added(samples, "first word first word")),
    row(`processor a frame, ${streamsAtOnce} streams at once, µs`, own("streams processor")),
    heading(`${crowd} connections, upstream answers after 60 ms`),
    row("failed requests", own("crowd failed")),
    row("requests a second", own("crowd rate")),
    heading("the whole run"),
    row("failed requests in all other windows", (target) => number(sum(samples.of(target, "failed")), 0)),
    row("memory at start, MiB", own("memory before")),
    row(`memory after ${seconds} s of load, MiB`, own("memory after")),
  ];
}

/** How many times the processor time of one target another one takes; a dash where one of them is missing. */
export function ratio(samples: Samples, metric: string, target: string, base: string): string {
  return number(samples.median(target, metric) / samples.median(base, metric), 2);
}

/** The upstream's own time stands as it is; the others show what they add to it. */
function added(samples: Samples, metric: string): Show {
  return (target) => {
    if (target === "direct") return number(samples.median(target, metric), 0);
    const more = samples.added(target, "direct", metric);
    return more >= 0 ? `+${number(more, 0)}` : number(more, 0);
  };
}

function range(samples: Samples, metric: string): Show {
  return (target) => {
    const values = samples.of(target, metric).filter((value) => !Number.isNaN(value));
    return values.length === 0 ? "–" : `${number(Math.min(...values), 0)}–${number(Math.max(...values), 0)}`;
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function number(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : "–";
}
