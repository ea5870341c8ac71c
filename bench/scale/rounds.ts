import { setTimeout as pause } from "node:timers/promises";
import { runLoad, type Measured } from "../gateways/load.ts";
import { processorMicros, readProcessor } from "../gateways/process-tree.ts";
import type { Samples } from "../gateways/samples.ts";
import { rotated } from "../queues/lives.ts";
import type { Stage } from "./stage.ts";

export type ScalePlan = { rounds: number; windowMs: number; warmUpMs: number; /** For each account. */ connections: number };

/** What is asked again and again. */
type Ask = { name: Window; path: string; body: object };
export type Window = "submits" | "calls";

export const asks: readonly Ask[] = [
  {
    name: "submits",
    path: "/musicA/submit/music",
    body: { prompt: "[Verse]\nA red fox runs ".repeat(15), tags: "folk, calm", title: "Fox", mv: "chirp-v3-5" },
  },
  {
    name: "calls",
    path: "/v1/chat/completions",
    body: { model: "bench-model", messages: [{ role: "user", content: "a quiet lake ".repeat(10) }], max_tokens: 64 },
  },
];

const settleMs = 300;

/** Each window is opened for one stage after the other, in another order each round, so that noise of the machine falls on all of them. */
export async function measureScale(
  stages: readonly Stage[],
  samples: Samples,
  plan: ScalePlan,
  say: (line: string) => void,
): Promise<void> {
  // Just-in-time compilers need some thousand requests, in each process.
  for (const stage of stages) for (const ask of asks) await load(stage, ask, plan.connections, plan.warmUpMs * stage.workers);
  for (let round = 0; round < plan.rounds; round++) {
    say(`round ${round + 1} of ${plan.rounds}`);
    for (const stage of rotated(stages, round)) await rest(stage, samples, plan.windowMs / 2);
    for (const [index, ask] of asks.entries()) for (const stage of rotated(stages, round + index)) await measure(stage, ask, samples, plan);
  }
}

async function measure(stage: Stage, ask: Ask, samples: Samples, { connections, windowMs }: ScalePlan): Promise<void> {
  await pause(settleMs);
  const before = processors(stage);
  const measured = await load(stage, ask, connections, windowMs);
  const count = measured.reduce((sum, one) => sum + one.count, 0);
  const keep = (name: string, value: number) => samples.add(stage.title, `${ask.name} ${name}`, value);
  const spent = spentSince(before, stage);
  keep("rate", count / (Math.max(...measured.map(({ elapsedMs }) => elapsedMs)) / 1_000));
  keep("gateway", spent.gatewayUs / count);
  keep("database", spent.databaseUs / count);
  keep("p50", middle(measured.map(({ p50Ms }) => p50Ms)));
  keep("p99", Math.max(...measured.map(({ p99Ms }) => p99Ms)));
  for (const { failures } of measured)
    for (const [reason, times] of Object.entries(failures)) samples.add(stage.title, `failed ${ask.name}: ${reason}`, times);
}

/** What they cost while nobody asks for anything. */
async function rest(stage: Stage, samples: Samples, forMs: number): Promise<void> {
  await pause(settleMs);
  const before = processors(stage);
  await pause(forMs);
  const { gatewayUs, databaseUs } = spentSince(before, stage);
  samples.add(stage.title, "rest gateway", gatewayUs / forMs / 10);
  samples.add(stage.title, "rest database", databaseUs / forMs / 10);
}

function load({ port, keys }: Stage, { path, body }: Ask, connections: number, forMs: number): Promise<Measured[]> {
  return Promise.all(
    keys.map((key) => runLoad({ port, request: postBytes(port, path, key, body), connections, forMs, patienceMs: 15_000 })),
  );
}

function postBytes(port: number, path: string, key: string, body: object): Buffer {
  const text = JSON.stringify(body);
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`);
}

function processors({ service, cluster }: Stage) {
  return { gateway: readProcessor(service.process.pid ?? 0), database: readProcessor(cluster.pid) };
}

function spentSince(before: ReturnType<typeof processors>, stage: Stage): { gatewayUs: number; databaseUs: number } {
  const after = processors(stage);
  return { gatewayUs: processorMicros(before.gateway, after.gateway), databaseUs: processorMicros(before.database, after.database) };
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
