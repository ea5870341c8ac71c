/** Durable submits per second over HTTP, beside this machine's own raw SQLite commits: `node run.mjs bench/submit.ts [--seconds 8] [--connections 64]`. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { Pool } from "undici";
import { percentile, processorSeconds, startService } from "./service.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    connections: { type: "string", default: "64" },
    accounts: { type: "string", default: "20" },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);

// One slot and an upstream that refuses: the tasks wait, so that submits alone are measured.
const yaml = `
providers:
  songs: { type: suno-relay, base_url: "http://127.0.0.1:9", keys: ["x"], limits: { concurrent: 1 }, allow_private_network: true }
models:
  chirp-*: { kinds: [music], routes: [{ provider: songs }], price: { per_call: 0.000001 } }
`;

const rawBefore = rawCommits(2);
console.log(`raw SQLite, one commit each, before: ${Math.round(rawBefore)}/s`);
const service = await startService(yaml);
try {
  const keys = await Promise.all(Array.from({ length: Number(values.accounts) }, () => service.customer(100_000)));
  await submits(service.url, keys, 2);
  const before = processorSeconds(service.process.pid);
  const measured = await submits(service.url, keys, seconds);
  const used = (processorSeconds(service.process.pid) - before) / (measured.perSecond * seconds);
  const rawAfter = rawCommits(2);
  console.log(`raw SQLite, one commit each, after: ${Math.round(rawAfter)}/s`);
  console.log(
    `submits: ${Math.round(measured.perSecond)}/s with ${connections} connections, p50 ${measured.p50.toFixed(1)} ms, p99 ${measured.p99.toFixed(1)} ms, other than 200: ${measured.refused}`,
  );
  console.log(`ratio of submits to the better of the two: ${(measured.perSecond / Math.max(rawBefore, rawAfter)).toFixed(2)}`);
  console.log(`processor time of the service: ${Math.round(used * 1e6)} µs a submit`);
  console.log(`another route meanwhile (GET /health): p50 ${measured.other50.toFixed(2)} ms, p99 ${measured.other99.toFixed(2)} ms`);
  const half = await submits(service.url, keys, seconds, measured.perSecond / 2);
  console.log(
    `at half that rate (${Math.round(half.perSecond)}/s): submit p50 ${half.p50.toFixed(1)} ms, another route p50 ${half.other50.toFixed(2)} ms, p99 ${half.other99.toFixed(2)} ms`,
  );
} finally {
  await service.stop();
}

async function submits(url: string, keys: readonly string[], forSeconds: number, rate = Infinity) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const body = JSON.stringify({ prompt: "[Verse]\nA red fox runs ".repeat(15), tags: "folk, calm", title: "Fox", mv: "chirp-v3-5" });
  const until = performance.now() + forSeconds * 1000;
  const times: number[] = [];
  let refused = 0;
  const started = performance.now();
  const loop = async (n: number) => {
    const headers = { authorization: `Bearer ${keys[n % keys.length]}`, "content-type": "application/json" };
    while (performance.now() < until) {
      const ahead = times.length / rate - (performance.now() - started) / 1000;
      if (ahead > 0) {
        await new Promise((resolve) => setTimeout(resolve, ahead * 1000));
        continue;
      }
      const from = performance.now();
      const reply = await pool.request({ method: "POST", path: "/musicA/submit/music", headers, body });
      await reply.body.dump();
      if (reply.statusCode !== 200) refused++;
      times.push(performance.now() - from);
    }
  };
  const probe = new Worker(new URL("./probe.ts", import.meta.url), { workerData: { url, path: "/health", forMs: forSeconds * 1000 } });
  const watched = once(probe, "message");
  await Promise.all(Array.from({ length: connections }, (_none, n) => loop(n)));
  const others = ((await watched) as [number[]])[0];
  await pool.close();
  times.sort((a, b) => a - b);
  others.sort((a, b) => a - b);
  return {
    perSecond: times.length / forSeconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    other50: percentile(others, 0.5),
    other99: percentile(others, 0.99),
    refused,
  };
}

function rawCommits(forSeconds: number): number {
  const file = join(tmpdir(), `genway-raw-${process.pid}.db`);
  const db = new DatabaseSync(file);
  db.exec("pragma journal_mode=wal; pragma synchronous=full; create table t(id integer primary key, body text)");
  const insert = db.prepare("insert into t(body) values(?)");
  const until = performance.now() + forSeconds * 1000;
  let count = 0;
  for (; performance.now() < until; count++) insert.run("x".repeat(400));
  db.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  return count / forSeconds;
}
