import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLab } from "../../lab/lab.ts";
import type { LabJob } from "../../lab/job-book.ts";
import { createRandom } from "../../lab/script.ts";
import { audit, countLeftovers, type Evidence, type Verdict } from "./audit.ts";
import { createClients } from "./clients.ts";
import { startPostgres } from "../support/postgres.ts";
import { begin, killFirstStarts, killOften, middle, settle, type Chronicle, type Stage } from "./lives.ts";
import { configurationFor, makeOrders, type Order } from "./orders.ts";
import { startReceiver } from "./receiver.ts";
import { createService, processesIn, type Service } from "./service.ts";

export type CrashOptions = {
  kills: number;
  tasks: number;
  seed: number;
  store?: "sqlite" | "postgres";
  /** Told now and then how far the run is. */
  tell?: (line: string) => void;
};

export type CrashReport = {
  seed: number;
  verdicts: Verdict[];
  figures: Record<string, string | number>;
  /** Where database and log lie when a promise was broken. */
  folder: string | null;
};

const creditUsd = 1_000;
const times = { minSeconds: 0.2, maxSeconds: 2, queueSeconds: 0.1, retryAfterSeconds: 1 };
const faults = { failRate: 0.05, policyRate: 0.02, limitRate: 0.08, errorRate: 0.03, resetRate: 0.03, malformedRate: 0.03, pollRate: 0.06 };

/** Kills the service again and again while clients use it, lets it finish in peace, and holds what is left against what was promised. */
export async function runCrash({ kills, tasks, seed, store = "sqlite", tell = () => undefined }: CrashOptions): Promise<CrashReport> {
  const postgres = store === "postgres" ? await startPostgres() : null;
  if (store === "postgres" && postgres === null) throw new Error("there is no PostgreSQL to run on");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "genway-crash-")));
  const random = createRandom(seed);
  const startedAt = performance.now();
  const lab = await createLab({ seed, script: { ...times, ...faults } });
  const secrets: string[] = [];
  const orders: Order[] = [];
  const receiver = await startReceiver({ random, secretOf: (n) => secrets[orders[n]?.customer ?? 0] ?? "" });
  orders.push(...makeOrders({ count: tasks, seed, random, hookUrl: receiver.urlOf }));
  const service = await createService(folder, configurationFor(lab, postgres?.url ?? null));
  const chronicle: Chronicle = { aheadMs: 0, killed: 0, killedAtStart: 0, listensMs: [], readyMs: [] };
  const stage: Stage = { kills, random, service, chronicle, tell };
  const ending = new AbortController();
  try {
    await killFirstStarts(stage);
    await begin(stage, 0);
    const one = await makeCustomer(service, "one");
    const two = await makeCustomer(service, "two");
    secrets.push(one.secret, two.secret);
    await service.stop();

    const clients = createClients({ url: service.url, keys: [one.key, two.key], random, signal: ending.signal });
    const watched = clients.watch();
    const source = postgres === null ? { folder: service.dataDir } : { url: postgres.url };
    const played = { ...stage, source, clients, receiver, orders, placing: [] };
    await killOften(played);
    const tables = await settle(played);
    ending.abort();
    await watched;

    const evidence: Evidence = {
      tables,
      dataDir: service.dataDir,
      orders,
      clients,
      receiver,
      jobs: lab.jobs(),
      creditNanos: creditUsd * 1e9,
    };
    const verdicts = [...audit(evidence), await leftProcesses(folder), loggedErrors(service)];
    const isGood = verdicts.every(({ broken }) => broken.length === 0);
    const figures = { ...figuresOf(evidence, chronicle), seconds: Math.round((performance.now() - startedAt) / 1_000) };
    if (isGood) rmSync(folder, { recursive: true, force: true });
    return { seed, verdicts, figures, folder: isGood ? null : folder };
  } finally {
    ending.abort();
    await service.kill().catch(() => undefined);
    await receiver.close();
    await lab.close();
    await postgres?.stop();
  }
}

async function makeCustomer(service: Service, name: string): Promise<{ key: string; secret: string }> {
  await service.admin("/admin/v1/accounts", { name, credit_usd: creditUsd });
  const { key } = await service.admin("/admin/v1/keys", { account: name, name: "crash" });
  const reply = await fetch(`${service.url}/v1/webhooks/secret`, { method: "POST", headers: { authorization: `Bearer ${key}` } });
  const { secret } = (await reply.json()) as { secret: string };
  return { key: String(key), secret };
}

/** An engine must not outlive the service by more than the moment its watcher needs. */
async function leftProcesses(folder: string): Promise<Verdict> {
  for (const until = performance.now() + 1_000; performance.now() < until && processesIn(folder)?.length !== 0;) await sleep(50);
  const left = processesIn(folder);
  return {
    promise: "processes left over",
    counted: left === null ? 0 : 1,
    broken: (left ?? []).map((pid) => `process ${pid} still lives`),
  };
}

function loggedErrors({ logFile }: Service): Verdict {
  const lines = readFileSync(logFile, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const errors = lines.filter((line) => !/^\{"level":[1-4]0,/.test(line) && !line.includes("The service is stopping"));
  return { promise: "errors in the log", counted: lines.length, broken: errors.map((line) => line.slice(0, 600)) };
}

function figuresOf(evidence: Evidence, { killed, killedAtStart, listensMs, readyMs }: Chronicle): CrashReport["figures"] {
  const { tables, jobs, clients, receiver } = evidence;
  const { media, partial, work } = countLeftovers(evidence);
  const ids = new Set(tables.attempts.map(({ upstream_id }) => upstream_id));
  const messages = evidence.orders.flatMap(({ n }) => [...receiver.heard(n).values()]);
  return {
    kills: `${killed}, ${killedAtStart} of them while it started`,
    "accepted tasks": clients.accepted.size,
    ends: tally(tables.tasks.map(({ status, fail_code }) => fail_code ?? status)),
    attempts: tally(tables.attempts.map(({ provider, state }) => `${provider === "local" ? "local" : "lab"} ${state}`)),
    "jobs in the lab": `${jobs.length}, ${jobs.filter(({ id }: LabJob) => !ids.has(id)).length} of them with an answer that was lost`,
    "requests cut off by a kill": clients.lostRequests(),
    "killed while a job was being sent": tables.attempts.filter(({ cause }) => cause?.includes("while the job was being sent")).length,
    "webhook messages": `${receiver.count()} for ${messages.length} ends, ${messages.filter(({ bodies }) => bodies.size > 1).length} repeated in other words`,
    "listens after": spread(listensMs),
    "ready after": spread(readyMs),
    "left on disk without a row": `${media} media, ${partial} partial, ${work} work folders`,
  };
}

function tally(words: readonly string[]): string {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, list]) => [word, list.length] as const);
  return counts
    .toSorted(([, a], [, b]) => b - a)
    .map(([word, count]) => `${count} ${word}`)
    .join(", ");
}

function spread(list: readonly number[]): string {
  return `${Math.round(middle(list))} ms (median of ${list.length}), ${Math.round(Math.max(...list))} ms at most`;
}
