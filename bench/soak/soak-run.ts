import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../lab/script.ts";
import type { Verdict } from "../../test/crash/audit.ts";
import type { CrashReport } from "../../test/crash/crash-run.ts";
import type { Receiver } from "../../test/crash/receiver.ts";
import type { Service } from "../../test/crash/service.ts";
import { readTables } from "../../test/crash/tables.ts";
import { audit, tellStories, type Evidence } from "./audit.ts";
import { createCustomers, type Customers } from "./customers.ts";
import { figuresOf } from "./figures.ts";
import type { Order } from "./orders.ts";
import { readRememberedOrders } from "./remembered-orders.ts";
import { fetchSamples, misshownAttempts } from "./samples.ts";
import { setStage, type Stage } from "./stage.ts";
import { createWatch } from "./watch.ts";

export type SoakOptions = {
  tasks: number;
  seed: number;
  /** How many tasks are open at once. */
  concurrency: number;
  kills?: number;
  /** Told now and then how far the run is. */
  tell?: (line: string) => void;
};

type Told = Required<SoakOptions> & { random: () => number };

const creditUsd = 1_000_000;
const customerCount = 4;
const longestMs = (tasks: number) => 8 * 60_000 + tasks * 60;

/** Orders of every kind through every dialect from every upstream of the lab, each with its share of faults, and what became of the promises. */
export async function runSoak({ tasks, seed, concurrency, kills = 0, tell = () => undefined }: SoakOptions): Promise<CrashReport> {
  const random = createRandom(seed);
  const stage = await setStage({ tasks, seed, random, customers: customerCount, creditUsd });
  let isGood = false;
  try {
    const report = await play(stage, { tasks, seed, concurrency, kills, tell, random });
    isGood = report.verdicts.every(({ broken }) => broken.length === 0);
    return { ...report, folder: isGood ? null : stage.folder };
  } finally {
    await stage.end(!isGood);
  }
}

async function play(stage: Stage, told: Told): Promise<CrashReport> {
  const { lab, service, receiver, orders, folder } = stage;
  const { tasks, seed, kills } = told;
  const watch = createWatch(folder, lab.callbacks);
  const ending = new AbortController();
  const deadline = setTimeout(() => ending.abort(), longestMs(tasks));
  try {
    const customers = createCustomers({ ...stage, url: service.url, signal: ending.signal });
    const watched = customers.watch();
    const seconds = await serveAll(stage, customers, told);
    await allTold(orders, customers, receiver, ending.signal);
    ending.abort();
    await watched;

    const sampled = await fetchSamples(service, [...customers.accepted.values()]);
    const books = await readBooks(service);
    const metrics = await service.read("/metrics");
    await service.stop();
    const tables = await readTables({ folder: service.dataDir });
    for (const [n, id] of readRememberedOrders(service.dataDir, seed)) if (customers.seen.has(n)) customers.accepted.set(n, id);
    const known = { seed, kills, orders, customers, receiver, tables, jobs: lab.jobs(), strays: lab.strays() };
    const evidence: Evidence = { ...known, creditNanos: creditUsd * 1e9 };
    const stories = tellStories(evidence);
    const verdicts = [...audit(evidence, stories), sampled.assets, misshownAttempts(sampled, tables), books, loggedErrors(service)];
    return { seed, verdicts, figures: figuresOf(evidence, stories, { seconds, metrics, ...watch.end() }), folder };
  } finally {
    clearTimeout(deadline);
    ending.abort();
    watch.end();
  }
}

/** Has all orders served, so many at once, and kills the service now and then where that is wanted; answers how many seconds it took. */
async function serveAll({ service, orders }: Stage, customers: Customers, { concurrency, tell, ...killing }: Told): Promise<number> {
  const startedAt = performance.now();
  const waiting = orders.values();
  let served = 0;
  const one = async () => {
    for (const order of waiting) {
      await customers.serve(order);
      if (++served % 1_000 === 0) tell(`${served} of ${orders.length}`);
    }
  };
  const all = Promise.all(Array.from({ length: concurrency }, one));
  await Promise.all([all, killWhile(service, customers, all, killing)]);
  return (performance.now() - startedAt) / 1_000;
}

type Killing = Pick<Told, "kills" | "tasks" | "random">;

/** Kills the service as long as orders are open, spread over them, and starts it again on the same data. */
async function killWhile(
  service: Service,
  { accepted }: Customers,
  served: Promise<unknown>,
  { kills, tasks, random }: Killing,
): Promise<void> {
  const over = new AbortController();
  const isServed = served.finally(() => over.abort());
  isServed.catch(() => undefined);
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
