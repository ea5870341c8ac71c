import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { processesUnder, processorMicros, readProcessor } from "../gateways/process-tree.ts";
import { between, quantile } from "./figures.ts";
import type { Stage } from "./stage.ts";

export type CrowdPlan = { tasks: number; /** How long they are watched when all of them wait. */ watchMs: number; mostMs: number };

const clients = 48;

/** Submits tasks whose jobs do not end, half music that is asked about in batches and half video, and waits until all of them wait upstream. */
export async function gatherCrowd(stage: Stage, { tasks, mostMs }: CrowdPlan, say: (line: string) => void): Promise<void> {
  const began = performance.now();
  await submitAll(stage, tasks);
  say(`${tasks} tasks submitted in ${secondsSince(began)} s`);
  for (let told = 0; ; await pause(2_000)) {
    const figures = await stage.figures();
    const left = figures.shared(/^genway_steps\{.*phase="(start|run)"/);
    if (left === 0) break;
    if (performance.now() - began > mostMs) throw new Error(`after ${secondsSince(began)} s ${left} tasks are still not sent`);
    if (performance.now() - told < 20_000) continue;
    told = performance.now();
    say(`${left} tasks are not sent yet, after ${secondsSince(began)} s`);
  }
  say(`all of them wait upstream after ${secondsSince(began)} s`);
}

export type Watched = { says: string[]; lagP99: number; mostMiB: number };

/** Looks on while they wait: how late polls are, and what each process needs for it. */
export async function watchCrowd(stage: Stage, { watchMs }: CrowdPlan): Promise<Watched> {
  const pid = stage.service.process.pid ?? 0;
  const before = { figures: await stage.figures(), gateway: readProcessor(pid), database: readProcessor(stage.cluster.pid) };
  const began = performance.now();
  const most = new Map<number, number>();
  while (performance.now() - began < watchMs) {
    for (const member of processesUnder(pid).slice(stage.workers === 1 ? 0 : 1))
      most.set(member, Math.max(most.get(member) ?? 0, residentMiB(member)));
    await pause(1_000);
  }
  const after = await stage.figures();
  const seconds = (performance.now() - began) / 1_000;
  const lag = between(before.figures.buckets("genway_poll_lag_seconds"), after.buckets("genway_poll_lag_seconds"));
  const share = (micros: number) => `${(micros / seconds / 10_000).toFixed(0)} % of a core`;
  const lagP99 = quantile(lag, 0.99);
  const sizes = [...most.values()];
  return {
    lagP99,
    mostMiB: Math.max(...sizes),
    says: [
      `waiting at the end: ${after.shared(/^genway_steps\{.*phase="poll"/)}, watched for ${seconds.toFixed(0)} s`,
      `jobs polled: ${Math.round((lag.at(-1)?.count ?? 0) / seconds)} a second`,
      `poll lag: p50 ≤ ${quantile(lag, 0.5)} s, p99 ≤ ${lagP99} s, p99.9 ≤ ${quantile(lag, 0.999)} s (wanted: p99 < 5 s)`,
      `memory of each process: ${sizes.map((mib) => `${Math.round(mib)} MiB`).join(", ")} (wanted: < 512 MiB)`,
      `processor: gateway ${share(processorMicros(before.gateway, readProcessor(pid)))}, database ${share(processorMicros(before.database, readProcessor(stage.cluster.pid)))}`,
    ],
  };
}

async function submitAll({ service, keys }: Stage, tasks: number): Promise<void> {
  const pool = new Pool(service.url, { connections: clients });
  let next = 0;
  const client = async () => {
    for (let n = next++; n < tasks; n = next++) {
      const isMusic = n % 2 === 0;
      const reply = await pool.request({
        method: "POST",
        path: isMusic ? "/musicA/submit/music" : "/custom_video/model/gen4.5",
        headers: { authorization: `Bearer ${keys[n % keys.length]}`, "content-type": "application/json" },
        body: JSON.stringify(isMusic ? { prompt: `song ${n}`, tags: "folk" } : { prompt: `video ${n}`, duration: 5 }),
      });
      const text = await reply.body.text();
      if (reply.statusCode !== 200) throw new Error(`a submit was refused: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await pool.close();
}

function residentMiB(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1_000).toFixed(0);
}
