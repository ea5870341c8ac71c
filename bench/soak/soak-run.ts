import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLab } from "../../lab/lab.ts";
import type { SentCallback } from "../../lab/outbox.ts";
import { createRandom } from "../../lab/script.ts";
import type { Verdict } from "../../test/crash/audit.ts";
import type { CrashReport } from "../../test/crash/crash-run.ts";
import { startReceiver, type Receiver } from "../../test/crash/receiver.ts";
import { createService, processesIn, type Service } from "../../test/crash/service.ts";
import { readTables } from "../../test/crash/tables.ts";
import { residentMiB } from "../gateways/process-tree.ts";
import { audit, tellStories, type Evidence } from "./audit.ts";
import { createCustomers, type Customers } from "./customers.ts";
import { figuresOf } from "./figures.ts";
import { configurationOf, listOffers } from "./offers.ts";
import { makeOrders, type Order } from "./orders.ts";
import { fetchSamples } from "./samples.ts";

export type SoakOptions = {
  tasks: number;
  seed: number;
  /** How many tasks are open at once. */
  concurrency: number;
  kills?: number;
  /** Told now and then how far the run is. */
  tell?: (line: string) => void;
};

const creditUsd = 1_000_000;
const customerCount = 4;
const sampleCount = 200;
const longestMs = (tasks: number) => 8 * 60_000 + tasks * 60;

/** Orders of every kind through every dialect from every upstream of the lab, each with its share of faults, and what became of the promises. */
export async function runSoak({ tasks, seed, concurrency, kills = 0, tell = () => undefined }: SoakOptions): Promise<CrashReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "genway-soak-")));
  const random = createRandom(seed);
  const lab = await createLab({ seed, script: { pollRate: 0.02 } });
  const offers = listOffers();
  const orders: Order[] = [];
  const secrets: string[] = [];
  const receiver = await startReceiver({ random: createRandom(seed + 1), secretOf: (n) => secrets[orders[n]?.customer ?? 0] ?? "" });
  orders.push(...makeOrders({ count: tasks, seed, customers: customerCount, offers, random, hookUrl: receiver.urlOf }));
  const service = await createService(folder, configurationOf(lab, offers));
  const ending = new AbortController();
  const watch = createWatch(folder, lab.callbacks);
  try {
    await service.start(0);
    const keys: string[] = [];
    for (let place = 0; place < customerCount; place++) {
      const { key, secret } = await makeCustomer(service, `customer ${place}`);
      keys.push(key);
      secrets.push(secret);
    }
    const customers = createCustomers({ url: service.url, keys, receiver, signal: ending.signal });
    const watched = customers.watch();
    const deadline = setTimeout(() => ending.abort(), longestMs(tasks));
    const startedAt = performance.now();
    const served = serveAll(customers, orders, concurrency, tell);
    await killWhile(service, customers, { served, kills, tasks, random });
    await served;
    const seconds = (performance.now() - startedAt) / 1_000;
    await allTold(orders, customers, receiver, ending.signal);
    clearTimeout(deadline);
    ending.abort();
    await watched;

    const sampled = await fetchSamples(service, sampleOf([...customers.accepted.values()]));
    const books = await readBooks(service);
    const metrics = await service.read("/metrics");
    await service.stop();
    const known = { seed, orders, customers, receiver, jobs: lab.jobs(), strays: lab.strays(), kills, creditNanos: creditUsd * 1e9 };
    const evidence: Evidence = { ...known, tables: await readTables({ folder: service.dataDir }) };
    const stories = tellStories(evidence);
    const verdicts = [...audit(evidence, stories), sampled.verdict, books, loggedErrors(service)];
    const isGood = verdicts.every(({ broken }) => broken.length === 0);
    const figures = figuresOf(evidence, stories, { seconds, metrics, ...watch.end() });
    if (isGood) rmSync(folder, { recursive: true, force: true });
    return { seed, verdicts, figures, folder: isGood ? null : folder };
  } finally {
    watch.end();
    ending.abort();
    await service.kill().catch(() => undefined);
    await receiver.close();
    await lab.close();
  }
}

async function makeCustomer(service: Service, name: string): Promise<{ key: string; secret: string }> {
  await service.admin("/admin/v1/accounts", { name, credit_usd: creditUsd });
  const { key } = await service.admin("/admin/v1/keys", { account: name, name: "soak" });
  const reply = await fetch(`${service.url}/v1/webhooks/secret`, { method: "POST", headers: { authorization: `Bearer ${String(key)}` } });
  const { secret } = (await reply.json()) as { secret: string };
  return { key: String(key), secret };
}

async function serveAll(customers: Customers, orders: readonly Order[], concurrency: number, tell: (line: string) => void): Promise<void> {
  const waiting = orders.values();
  let served = 0;
  const one = async () => {
    for (const order of waiting) {
      await customers.serve(order);
      if (++served % 1_000 === 0) tell(`${served} of ${orders.length}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

type Killing = { served: Promise<void>; kills: number; tasks: number; random: () => number };

/** Kills the service now and then as long as orders come in, and starts it again on the same data. */
async function killWhile(service: Service, { accepted }: Customers, { served, kills, tasks, random }: Killing): Promise<void> {
  const over = new AbortController();
  void served.finally(() => over.abort());
  for (let killed = 0; killed < kills; killed++) {
    while (!over.signal.aborted && accepted.size < ((killed + 0.5) * tasks) / kills) await sleep(20);
    await sleep(random() * 300);
    if (over.signal.aborted) return;
    await service.kill();
    await service.start(0);
  }
}

/** Waits until every end that somebody wants to be told of was told. */
async function allTold(orders: readonly Order[], { accepted }: Customers, receiver: Receiver, signal: AbortSignal): Promise<void> {
  const isTold = ({ n }: Order) => [...receiver.heard(n).values()].some(({ times }) => times > 0);
  const hooked = orders.filter(({ n, hasHook }) => hasHook && accepted.has(n));
  for (const until = performance.now() + 60_000; performance.now() < until && !signal.aborted && !hooked.every(isTold);) await sleep(100);
}

/** Some of a list, spread over all of it. */
function sampleOf<T>(list: readonly T[]): T[] {
  const every = Math.max(1, Math.floor(list.length / sampleCount));
  return list.filter((_one, place) => place % every === 0).slice(0, sampleCount);
}

async function readBooks(service: Service): Promise<Verdict> {
  const reply = await fetch(`${service.url}/ready`);
  const { checks } = (await reply.json()) as { checks: Record<string, string> };
  const wrong = Object.entries(checks).filter(([, says]) => says !== "ok");
  return { promise: "what the gateway finds wrong itself", counted: 1, broken: wrong.map(([name, says]) => `${name}: ${says}`) };
}

function loggedErrors({ logFile }: Service): Verdict {
  const lines = readFileSync(logFile, "utf8").split("\n").filter(Boolean);
  const errors = lines.filter((line) => !/^\{"level":[1-4]0,/.test(line) && !line.includes("The service is stopping"));
  return { promise: "errors in the log", counted: lines.length, broken: errors.map((line) => line.slice(0, 600)) };
}

/** Looks at the gateway's memory and at the lab's callbacks, of which the lab itself keeps the newest alone. */
function createWatch(folder: string, list: () => SentCallback[]) {
  const memoryMiB: number[] = [];
  const callbacks = new Set<SentCallback>();
  const look = () => {
    for (const callback of list()) callbacks.add(callback);
    const [pid] = processesIn(folder) ?? [];
    const size = pid === undefined ? Number.NaN : residentMiB(pid);
    if (size > 0) memoryMiB.push(size);
  };
  const timer = setInterval(look, 3_000);
  return {
    end() {
      clearInterval(timer);
      look();
      return { memoryMiB, callbacks: [...callbacks] };
    },
  };
}
