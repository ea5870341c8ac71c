/**
 * Gateways side by side in front of one mock upstream: `node run.mjs bench/gateways.ts [--quick] [--only genway,bare] [--seconds 60] [--rounds 5]
 * [--litellm] [--bifrost] [--write]`. Portkey is installed into bench/.peers when it is not there; `--write` makes docs/benchmark.md and its chart.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startModule } from "./gateways/child.ts";
import { ratio, rowsOf } from "./gateways/figures.ts";
import { startLoadThread } from "./gateways/load-thread.ts";
import { machine, writePage } from "./gateways/page.ts";
import { residentMiB } from "./gateways/process-tree.ts";
import { awaitReady } from "./gateways/readiness.ts";
import { cellName, measureRounds, type Plan } from "./gateways/rounds.ts";
import { createSamples } from "./gateways/samples.ts";
import { plainTable } from "./gateways/table.ts";
import { targets } from "./gateways/targets.ts";
import type { RunningTarget, Target } from "./gateways/target.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    seconds: { type: "string" },
    rounds: { type: "string" },
    litellm: { type: "boolean", default: false },
    bifrost: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    to: { type: "string", default: join(import.meta.dirname, "../docs") },
  },
});
const plan = makePlan();
const samples = createSamples();
const running = new Map<string, RunningTarget>();
const missing: string[] = [];
const thread = startLoadThread();
const mock = await startModule(new URL("./gateways/mock.ts", import.meta.url), []);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stopAll().finally(() => process.exit(130)));

try {
  for (const target of chosen()) await start(target);
  keepMemory("memory before");
  await measureRounds(running, thread, plan, samples, console.log);
  if (mock.hasEnded()) throw new Error(`the mock upstream ended on the way: ${mock.lastWords()}`);
  keepMemory("memory after");
  report();
} finally {
  await stopAll();
}

function makePlan(): Plan {
  const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
  const seconds = Number(values.seconds ?? (values.quick ? 6 : 60));
  const probes = Math.max(values.quick ? 0 : 10, Math.ceil(26 / rounds));
  return {
    rounds,
    seconds,
    probes,
    frames: values.quick ? 16 : 64,
    warmUpMs: values.quick ? 700 : 8_000,
    crowdMs: values.quick ? 1_000 : 2_000,
  };
}

/** Without `--only` all but the two that take long to fetch; the direct way is the measure of the others and always there. */
function chosen(): Target[] {
  const only = values.only?.split(",");
  const optional = new Map([
    ["litellm", values.litellm],
    ["bifrost", values.bifrost],
  ]);
  const unknown = only?.filter((name) => !targets.some((target) => target.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`no target is called ${unknown.join(" or ")}: ${targets.map(({ name }) => name).join(", ")}`);
  return targets.filter(({ name, title }) => {
    if (only !== undefined) return name === "direct" || only.includes(name);
    if (optional.get(name) === false) missing.push(`${title}: not asked for; --${name} fetches and measures it`);
    return optional.get(name) !== false;
  });
}

async function start(target: Target): Promise<void> {
  let started: RunningTarget | null = null;
  try {
    started = await target.start(mock.port);
    await awaitReady(started, target.readyWithinMs ?? 10_000);
    running.set(target.name, started);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    missing.push(`${target.title}: not available: ${reason}`);
    console.log(missing.at(-1));
    await started?.stop();
  }
}

function keepMemory(metric: string): void {
  for (const [name, { pid }] of running) if (pid !== null) samples.add(name, metric, residentMiB(pid));
}

function report(): void {
  const shown = targets.filter(({ name }) => running.has(name));
  const rows = rowsOf(
    samples,
    shown.map(({ name }) => name),
    plan.seconds,
  );
  const conclusions = conclude();
  console.log(`\n${machine()}; medians of ${plan.rounds} rounds; + is what a gateway adds to the direct way\n`);
  console.log(
    plainTable(
      shown.map(({ title }) => title),
      rows,
    ),
  );
  console.log(["", ...conclusions, ...missing].join("\n"));
  if (!values.write) return;
  const flags = process.argv
    .slice(2)
    .join(" ")
    .replace(/ ?--to[ =]\S+/, "");
  const command = `npm run bench -- ${flags}`;
  writePage(values.to, { command, plan, targets: shown, rows, samples, missing, conclusions });
  console.log(`written: ${join(values.to, "benchmark.md")} and benchmark.svg`);
}

function conclude(): string[] {
  const metric = `${cellName(32, "small", 0)} processor`;
  const pairs = [
    ["genway", "bare", "Genway takes", "the bare proxy's processor time a request"],
    ["portkey", "genway", "Portkey takes", "Genway's processor time a request"],
    ["litellm", "genway", "LiteLLM takes", "Genway's processor time a request"],
  ] as const;
  const ratios = pairs.flatMap(([one, other, begin, end]) =>
    running.has(one) && running.has(other) ? [`${begin} ${ratio(samples, metric, one, other)} times ${end}.`] : [],
  );
  const failures = targets.flatMap(({ name, title }) =>
    [...samples.sums(name, "reason ")].map(([reason, count]) => `${title} failed ${count} times: ${reason}.`),
  );
  return [...ratios, ...failures];
}

async function stopAll(): Promise<void> {
  await Promise.allSettled([...running.values()].map((target) => target.stop()));
  await Promise.allSettled([thread.stop(), mock.stop()]);
}
