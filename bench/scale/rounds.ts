import { setTimeout as pause } from "node:timers/promises";
import { runLoad, type Measured } from "../gateways/load.ts";
import { processorMicros, readProcessor } from "../gateways/process-tree.ts";
import type { Samples } from "../gateways/samples.ts";
import { rotated } from "../queues/lives.ts";
import type { Stage } from "./stage.ts";
import { runSteadyLoad } from "./steady-load.ts";

export type ScalePlan = {
  rounds: number;
  /** Of a steady load, and of one at full speed. */
  steadyMs: number;
  fullMs: number;
  warmUpMs: number;
  /** Requests a second of the steady load, for each process. */
  perSecond: number;
  /** Of each account. */
  connections: number;
};

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
  for (const stage of stages) for (const ask of asks) await fullSpeed(stage, ask, plan.connections, plan.warmUpMs * stage.workers);
  for (let round = 0; round < plan.rounds; round++) {
    say(`round ${round + 1} of ${plan.rounds}`);
    for (const [index, ask] of asks.entries()) {
      for (const stage of rotated(stages, round + index)) await measureSteady(stage, ask, samples, plan);
      for (const stage of rotated(stages, round + index)) await measureFull(stage, ask, samples, plan);
    }
  }
}

/** The same load for each process, so that what one request costs can be compared. */
async function measureSteady(stage: Stage, ask: Ask, samples: Samples, plan: ScalePlan): Promise<void> {
  await pause(settleMs);
  const { service, keys, workers } = stage;
  const before = processors(stage);
  const load = { url: service.url, path: ask.path, body: ask.body, keys, connections: 4 * workers, forMs: plan.steadyMs };
  const { count, failures, p50Ms, p99Ms } = await runSteadyLoad({ ...load, perSecond: plan.perSecond * workers });
  const spent = spentSince(before, stage);
  const keep = (name: string, value: number) => samples.add(stage.title, `${ask.name} ${name}`, value);
  keep("gateway", spent.gatewayUs / count);
  keep("database", spent.databaseUs / count);
  keep("p50", p50Ms);
  keep("p99", p99Ms);
  keepFailures(stage, ask, failures, samples);
}

async function measureFull(stage: Stage, ask: Ask, samples: Samples, { connections, fullMs }: ScalePlan): Promise<void> {
  await pause(settleMs);
  const before = processors(stage);
  const measured = await fullSpeed(stage, ask, connections, fullMs);
  const count = measured.reduce((sum, one) => sum + one.count, 0);
  const spent = spentSince(before, stage);
  const keep = (name: string, value: number) => samples.add(stage.title, `full ${ask.name} ${name}`, value);
  keep("rate", count / (Math.max(...measured.map(({ elapsedMs }) => elapsedMs)) / 1_000));
  keep("gateway", spent.gatewayUs / count);
  keep("database", spent.databaseUs / count);
  for (const { failures } of measured) keepFailures(stage, ask, failures, samples);
}

/** Each connection asks again when it is answered. */
function fullSpeed({ port, keys }: Stage, { path, body }: Ask, connections: number, forMs: number): Promise<Measured[]> {
  return Promise.all(
    keys.map((key) => runLoad({ port, request: postBytes(port, path, key, body), connections, forMs, patienceMs: 15_000 })),
  );
}

function keepFailures(stage: Stage, ask: Ask, failures: Record<string, number>, samples: Samples): void {
  for (const [reason, times] of Object.entries(failures)) samples.add(stage.title, `failed ${ask.name}: ${reason}`, times);
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
