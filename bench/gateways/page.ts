import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { drawChart } from "./chart.ts";
import type { Row } from "./figures.ts";
import { cellName, type Plan } from "./rounds.ts";
import type { Samples } from "./samples.ts";
import { markdownTable } from "./table.ts";
import type { Target } from "./target.ts";

export type Run = {
  command: string;
  plan: Plan;
  targets: readonly Target[];
  rows: readonly Row[];
  samples: Samples;
  /** What could not be measured, and why. */
  missing: readonly string[];
  /** What follows from the figures, in sentences. */
  conclusions: readonly string[];
};

/** Writes the page and its chart into a folder. */
export function writePage(folder: string, run: Run): void {
  writeFileSync(join(folder, "benchmark.svg"), chartOf(run));
  writeFileSync(join(folder, "benchmark.md"), pageOf(run));
}

/** What the figures depend on, without a date or a name. */
export function machine(): string {
  const [processor] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${availableParallelism()} cores (${processor?.model.trim() ?? "unknown"}), ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

function pageOf({ command, plan, targets, rows, missing, conclusions }: Run): string {
  const titles = targets.map(({ title }) => title);
  return `# Benchmark

What a gateway costs on the way to an upstream, measured side by side in one run: \`${command}\` writes this page, and anybody can repeat it.

![Processor time, added latency and added time to first token of each gateway](benchmark.svg)

${markdownTable(titles, rows)}

${conclusions.map((line) => `- ${line}\n`).join("")}
Machine: ${machine()}.

## How it is measured

- The upstream is a mock in a process of its own; it answers the same bytes at once or after 60 ms, or streams a frame every 20 ms.
- Load generator, mock and gateways share the machine's cores. So each window is opened for one target after the other, in ${plan.rounds} rounds, in
  another order each time; every figure is the median of the rounds. Compare columns, not machines.
- \`+\` is what a gateway adds: its time minus the direct time of the same round. \`direct\` shows the upstream's own time.
- Processor time is user and system time of the gateway's whole process tree, threads and children included, divided by the requests answered.
- Small bodies are 200 bytes there and 330 back, large ones 10 KB each way. Requests that were refused, cut short or unanswered for 15 s have failed.

${targets.map(({ title, about }) => `- **${title}**: ${about}.`).join("\n")}
${missing.map((line) => `- ${line}.\n`).join("")}`;
}

function chartOf({ targets, samples }: Run): string {
  const shown = targets.filter(({ name }) => name !== "direct");
  const one = `${cellName(1, "small", 0)} p50`;
  const panels = [
    {
      title: "Processor time a request",
      unit: "µs, 32 connections",
      values: shown.map(({ name }) => samples.median(name, `${cellName(32, "small", 0)} processor`)),
    },
    { title: "Added latency, p50", unit: "µs, 1 connection", values: shown.map(({ name }) => samples.added(name, "direct", one)) },
    {
      title: "Added time to first token",
      unit: "µs, 1 stream",
      values: shown.map(({ name }) => samples.added(name, "direct", "first word first word")),
    },
  ];
  const bars = shown.map(({ name, title }) => ({ title, isOurs: name === "genway" }));
  return drawChart(bars, panels, "Shorter is better. One run, one machine, small bodies, an upstream that answers at once.");
}
