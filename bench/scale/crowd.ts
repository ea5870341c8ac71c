import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "../../test/support/eventually.ts";
import { processesUnder, processorMicros, readProcessor } from "../gateways/process-tree.ts";
import { multiply, spreadPolls, type Pattern } from "./crowd-rows.ts";
import { between, quantile } from "./figures.ts";
import type { LabProcess } from "./lab-process.ts";
import type { Stage } from "./stage.ts";

export type CrowdPlan = {
  tasks: number;
  /** How long they are left alone before they are watched, and how long they are watched. */
  settleMs: number;
  watchMs: number;
};

/** Enough to say of 100,000 rows when they are due. */
const spreadMs = 40_000;
const momentMs = 5_000;

type Wish = { submit: { path: string; body: object }; job: Pattern; overMs: number };

/** One task of each kind, over HTTP; the others are made like it. */
const wishes: readonly Wish[] = [
  {
    submit: { path: "/musicA/submit/music", body: { prompt: "a song", tags: "folk" } },
    job: {
      kind: "music",
      path: "/suno-relay/suno/submit/music",
      headers: {},
      body: { prompt: "a song", tags: "folk", mv: "chirp-v3-5", make_instrumental: false },
      idOf: (reply) => reply["data"],
    },
    overMs: 30_000,
  },
  {
    submit: { path: "/custom_video/model/gen4.5", body: { prompt: "a video", duration: 5 } },
    job: {
      kind: "video",
      path: "/runway/v1/text_to_video",
      headers: { "x-runway-version": "2024-11-06" },
      body: { model: "gen4.5", promptText: "a video", ratio: "1280:720", duration: 5 },
      idOf: (reply) => reply["id"],
    },
    // One job a request, and 250 requests a second are the most.
    overMs: 200_000,
  },
];

/** Fills the database with tasks whose jobs do not end, half music that is asked about in batches and half video. */
export async function gatherCrowd(
  stage: Stage,
  lab: LabProcess,
  { tasks, settleMs }: CrowdPlan,
  say: (line: string) => void,
): Promise<void> {
  const began = performance.now();
  await Promise.all(wishes.map((wish) => submit(stage, wish.submit)));
  const waits = async () => (await stage.figures()).shared(/^genway_steps\{.*phase="poll"/) === wishes.length;
  await eventually(waits, { what: "a first task of each kind that waits upstream", withinMs: 60_000, everyMs: 200 });
  for (const { job } of wishes) await multiply(stage.cluster.url, lab, job, tasks / wishes.length - 1);
  const beginAt = Date.now() + spreadMs;
  const intervals = wishes.map(({ job, overMs }) => [job.kind, Math.max(30_000, (overMs * tasks) / 100_000)]);
  await spreadPolls(stage.cluster.url, beginAt, Object.fromEntries(intervals));
  say(`${(await stage.figures()).shared(/^genway_steps\{.*phase="poll"/)} tasks wait upstream after ${secondsSince(began)} s`);
  if (Date.now() > beginAt) throw new Error("it took too long to make them wait, and many polls are late from the beginning");
  await pause(beginAt + settleMs - Date.now());
}

export type Watched = { says: string[]; lagP99: number; mostMiB: number };

/** Looks on while they wait: how late polls are, and what each process needs for it. */
export async function watchCrowd(stage: Stage, lab: LabProcess, { watchMs }: CrowdPlan): Promise<Watched> {
  const places = { gateway: stage.service.process.pid ?? 0, database: stage.cluster.pid, upstream: lab.pid };
  const spent = Object.entries(places).map(([name, pid]) => ({ name, pid, book: readProcessor(pid) }));
  const before = await stage.figures();
  const began = performance.now();
  const most = new Map<number, number>();
  const moments = [before];
  while (performance.now() - began < watchMs) {
    await pause(Math.min(momentMs, watchMs));
    for (const node of nodesOf(stage)) most.set(node, Math.max(most.get(node) ?? 0, residentMiB(node)));
    moments.push(await stage.figures());
  }
  const after = moments.at(-1) ?? before;
  const seconds = (performance.now() - began) / 1_000;
  const lags = moments.map((moment) => moment.buckets("genway_poll_lag_seconds"));
  const lag = between(lags[0] ?? [], lags.at(-1) ?? []);
  const lagsInTurn = lags.slice(1).map((one, index) => quantile(between(lags[index] ?? [], one), 0.99));
  const more = (name: RegExp) => after.sum(name) - before.sum(name);
  const looks = more(/^genway_look_seconds_count/);
  const lookMs = (more(/^genway_look_seconds_sum/) / looks) * 1_000;
  const cores = spent.map(
    ({ name, pid, book }) => `${name} ${(processorMicros(book, readProcessor(pid)) / seconds / 10_000).toFixed(0)} %`,
  );
  const lagP99 = quantile(lag, 0.99);
  return {
    lagP99,
    mostMiB: Math.max(...most.values()),
    says: [
      `waiting at the end: ${after.shared(/^genway_steps\{.*phase="poll"/)}, watched for ${seconds.toFixed(0)} s`,
      `jobs polled: ${Math.round((lag.at(-1)?.count ?? 0) / seconds)} a second, by ${Math.round(looks / seconds)} looks of ${lookMs.toFixed(0)} ms`,
      `poll lag: p50 ≤ ${quantile(lag, 0.5)} s, p99 ≤ ${lagP99} s, p99.9 ≤ ${quantile(lag, 0.999)} s (wanted: p99 < 5 s)`,
      `its p99 in turn, every ${momentMs / 1_000} s: ≤ ${lagsInTurn.join(", ")} s`,
      `memory of each process at most: ${[...most.values()].map((mib) => `${Math.round(mib)} MiB`).join(", ")} (wanted: < 512 MiB)`,
      `processor, of a core: ${cores.join(", ")}; the machine's load: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
    ],
  };
}

/** Those that serve; with several, the first process only looks after them. */
function nodesOf({ service, workers }: Stage): number[] {
  return processesUnder(service.process.pid ?? 0).slice(workers === 1 ? 0 : 1);
}

async function submit({ service, keys }: Stage, { path, body }: Wish["submit"]): Promise<void> {
  const headers = { authorization: `Bearer ${keys[0]}`, "content-type": "application/json" };
  const reply = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`a submit was refused: ${await reply.text()}`);
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
