/** Tasks that wait on upstreams for many minutes: `node run.mjs bench/waiting.ts [--tasks 20000] [--minutes 5]`. Half music with batch polls, half video. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { processorSeconds, startService } from "./service.ts";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "20000" },
    minutes: { type: "string", default: "5" },
    "min-seconds": { type: "string", default: "600" },
    "max-seconds": { type: "string", default: "1200" },
  },
});
const tasks = Number(values.tasks);
const labPort = 20_000 + Math.floor(Math.random() * 10_000);
const lab = fork(
  new URL("../lab/main.ts", import.meta.url),
  ["--port", String(labPort), "--min-seconds", values["min-seconds"], "--max-seconds", values["max-seconds"]],
  { stdio: ["ignore", "ignore", "inherit", "ipc"] },
);
await answering(`http://127.0.0.1:${labPort}/lab/script`);

const provider = (type: string) =>
  `{ type: ${type}, base_url: "http://127.0.0.1:${labPort}/${type}", keys: ["lab-key"], limits: { concurrent: ${tasks} }, allow_private_network: true }`;
const service = await startService(`
providers:
  songs: ${provider("suno-relay")}
  videos: ${provider("runway")}
models:
  chirp-*: { kinds: [music], routes: [{ provider: songs }], price: { per_call: 0.000001 } }
  gen4.5: { kinds: [video], routes: [{ provider: videos }], price: { per_call: 0.000001 } }
`);

try {
  const key = await service.customer(1_000);
  const began = performance.now();
  await submitAll(key);
  console.log(`${tasks} tasks submitted in ${seconds(began)} s`);
  await allSent(key);
  console.log(`all of them accepted upstream after ${seconds(began)} s`);
  const before = { cpu: processorSeconds(service.process.pid), lag: await lagBuckets(), at: performance.now() };
  for (let minute = 1; minute <= Number(values.minutes); minute++) {
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    const lag = difference(await lagBuckets(), before.lag);
    const polls = lag.at(-1)?.count ?? 0;
    const spent = processorSeconds(service.process.pid) - before.cpu;
    console.log(
      `minute ${minute}: RSS ${residentMiB(service.process.pid)} MiB, ${Math.round(polls / ((performance.now() - before.at) / 1000))} jobs polled a second, ` +
        `poll lag p50 ≤ ${quantile(lag, 0.5)} s, p99 ≤ ${quantile(lag, 0.99)} s, processor ${((spent / ((performance.now() - before.at) / 1000)) * 100).toFixed(0)} % of a core, ` +
        `waiting ${await waiting(key)}`,
    );
  }
} finally {
  await service.stop();
  lab.kill();
  await once(lab, "exit");
}

async function submitAll(key: string): Promise<void> {
  const pool = new Pool(service.url, { connections: 32 });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  let next = 0;
  const loop = async () => {
    for (let n = next++; n < tasks; n = next++) {
      const music = n % 2 === 0;
      const reply = await pool.request({
        method: "POST",
        path: music ? "/musicA/submit/music" : "/custom_video/model/gen4.5",
        headers,
        body: JSON.stringify(music ? { prompt: `song ${n}`, tags: "folk" } : { prompt: `video ${n}`, duration: 5 }),
      });
      const text = await reply.body.text();
      if (reply.statusCode !== 200) throw new Error(`a submit was refused: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, loop));
  await pool.close();
}

async function allSent(key: string): Promise<void> {
  for (const until = Date.now() + 300_000; Date.now() < until;) {
    const counts = await steps();
    if ((counts.get("start") ?? 0) + (counts.get("run") ?? 0) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`not all tasks were sent: ${JSON.stringify([...(await steps())])} ${key.slice(0, 6)}`);
}

async function waiting(_key: string): Promise<number> {
  return (await steps()).get("poll") ?? 0;
}

async function metrics(): Promise<string> {
  const token = (JSON.parse(readFileSync(`${service.dataDir}/running.json`, "utf8")) as { token: string }).token;
  return (await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
}

async function steps(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const [, phase = "", count] of (await metrics()).matchAll(/genway_steps\{lane="[^"]*",phase="([^"]*)"\} (\d+)/g))
    counts.set(phase, (counts.get(phase) ?? 0) + Number(count));
  return counts;
}

type Bucket = { limit: string; count: number };

async function lagBuckets(): Promise<Bucket[]> {
  return [...(await metrics()).matchAll(/genway_poll_lag_seconds_bucket\{le="([^"]+)"\} (\d+)/g)].map(([, limit = "", count]) => ({
    limit,
    count: Number(count),
  }));
}

function difference(after: Bucket[], before: Bucket[]): Bucket[] {
  return after.map(({ limit, count }, index) => ({ limit, count: count - (before[index]?.count ?? 0) }));
}

function quantile(buckets: Bucket[], share: number): string {
  const all = buckets.at(-1)?.count ?? 0;
  return buckets.find(({ count }) => count >= all * share)?.limit ?? "none";
}

function residentMiB(pid: number | undefined): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

async function answering(url: string): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until;) {
    const up = await fetch(url).then(
      () => true,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the lab did not start");
}
