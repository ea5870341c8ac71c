/**
 * What more processes cost and bring on one PostgreSQL: `node run.mjs bench/scale.ts [--quick] [--processes 1,2,4] [--rounds 5] [--seconds 8]
 * [--rate 25]`; and many tasks that wait at once: `node run.mjs bench/scale.ts --waiting 100000 [--processes 2] [--watch 90]`.
 */
import { parseArgs } from "node:util";
import { startModule } from "./gateways/child.ts";
import { machine } from "./gateways/page.ts";
import { createSamples } from "./gateways/samples.ts";
import { plainTable } from "./gateways/table.ts";
import { gatherCrowd, watchCrowd } from "./scale/crowd.ts";
import { startLab } from "./scale/lab-process.ts";
import { scaleFailures, scaleRows, scaleVerdicts } from "./scale/report.ts";
import { measureScale } from "./scale/rounds.ts";
import { startStage, type Stage } from "./scale/stage.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    processes: { type: "string" },
    rounds: { type: "string" },
    seconds: { type: "string" },
    rate: { type: "string", default: "25" },
    waiting: { type: "string" },
    watch: { type: "string", default: "90" },
  },
});
/** For each process: more of them serve more clients. */
const [accounts, connections] = [8, 4];
const stages: Stage[] = [];
const mock = await startModule(new URL("./gateways/mock.ts", import.meta.url), []);
const lab = await startLab(7_200);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stopAll().finally(() => process.exit(130)));

try {
  const isGood = values.waiting === undefined ? await scale() : await crowd(Number(values.waiting));
  process.exitCode = isGood ? 0 : 1;
} finally {
  await stopAll();
}

async function scale(): Promise<boolean> {
  // One slot: what is submitted waits, so that submits alone are measured.
  for (const workers of counts("1,2,4")) await open(workers, configuration(1, "{ per_call: 0.000001 }"), accounts * workers);
  const samples = createSamples();
  const seconds = Number(values.seconds ?? (values.quick ? 2 : 8));
  const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
  const perSecond = Number(values.rate);
  const timing = { steadyMs: seconds * 1_000, fullMs: values.quick ? 1_000 : 3_000, warmUpMs: values.quick ? 1_000 : 8_000 };
  const plan = { rounds, perSecond, connections, ...timing };
  await measureScale(stages, samples, plan, console.log);
  const titles = stages.map(({ title }) => title);
  console.log(
    `\n${machine()}; PostgreSQL ${stages[0]?.cluster.version}; medians of ${rounds} rounds; for each process ${accounts} accounts, ${perSecond} requests a second or ${accounts * connections} connections at full speed\n`,
  );
  console.log(plainTable(titles, scaleRows(samples, titles)));
  const verdicts = scaleVerdicts(samples, titles);
  console.log(["", ...verdicts.map(({ says }) => says), ...scaleFailures(samples, titles)].join("\n"));
  return verdicts.every(({ isGood }) => isGood);
}

async function crowd(tasks: number): Promise<boolean> {
  // Free, so that a task more is no hold more.
  for (const workers of counts("2")) await open(workers, configuration(tasks, "free"), 1);
  const plan = { tasks, settleMs: 10_000, watchMs: Number(values.watch) * 1_000 };
  let isGood = true;
  for (const stage of stages) {
    console.log(`${machine()}; PostgreSQL ${stage.cluster.version}; ${stage.title}`);
    await gatherCrowd(stage, lab, plan, console.log);
    const { says, lagP99, mostMiB } = await watchCrowd(stage, lab, plan);
    console.log(says.join("\n"));
    isGood &&= lagP99 < 5 && mostMiB < 512;
  }
  return isGood;
}

function counts(usual: string): number[] {
  return (values.processes ?? usual).split(",").map(Number);
}

async function open(workers: number, yaml: string, keys: number): Promise<void> {
  const stage = await startStage(workers, yaml, keys);
  if (stage === null) throw new Error("PostgreSQL is not found on this machine");
  stages.push(stage);
}

function configuration(slots: number, price: string): string {
  const provider = (type: string) =>
    `{ type: ${type}, base_url: "${lab.url}/${type}", keys: ["lab-key"], limits: { concurrent: ${slots} }, allow_private_network: true }`;
  return `
providers:
  songs: ${provider("suno-relay")}
  videos: ${provider("runway")}
  mock: { type: openai-compatible, base_url: "http://127.0.0.1:${mock.port}/v1", keys: ["mock-key"], limits: { concurrent: 10000 }, allow_private_network: true }
models:
  chirp-*: { kinds: [music], routes: [{ provider: songs }], price: ${price} }
  gen4.5: { kinds: [video], routes: [{ provider: videos }], price: ${price} }
  bench-model: { kinds: [chat], routes: [{ provider: mock }], max_output_tokens: 4096, price: { input_per_million: 0.15, output_per_million: 0.60 } }
tasks: { deadline: { music: 3h, video: 3h } }
`;
}

async function stopAll(): Promise<void> {
  await Promise.allSettled(stages.map((stage) => stage.stop()));
  await Promise.allSettled([mock.stop(), lab.stop()]);
}
