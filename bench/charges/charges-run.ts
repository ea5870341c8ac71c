import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../lab/script.ts";
import { readTables } from "../../test/crash/tables.ts";
import { audit, type Verdict } from "./audit.ts";
import { placeOrder, type Outcome } from "./customer.ts";
import { makeOrders, type Order } from "./orders.ts";
import { setStage, type Stage } from "./stage.ts";

export type ChargesOptions = {
  calls: number;
  concurrency: number;
  seed: number;
  kills: number;
  customers?: number;
  tell?: (line: string) => void;
};

export type ChargesReport = Verdict & { figures: Record<string, string | number>; outcomes: Outcome[] };

const creditUsd = 100;
const keysEach = 3;
const longestRunMs = 20 * 60_000;

/** Makes many calls that end in every way, and holds what was charged against what was delivered. */
export async function runCharges({
  calls,
  concurrency,
  seed,
  kills,
  customers = 8,
  tell = () => undefined,
}: ChargesOptions): Promise<ChargesReport> {
  const random = createRandom(seed);
  const orders = makeOrders({ count: calls, accounts: customers, keys: keysEach, random });
  const stage = await setStage({ accounts: customers, keysEach, creditUsd });
  try {
    const startedAt = performance.now();
    let mostMemory = 0;
    const watch = setInterval(() => (mostMemory = Math.max(mostMemory, stage.memory())), 250);
    const idleMemory = stage.memory();
    const placed = placeAll(stage, orders, concurrency, tell);
    const killed = kills === 0 ? 0 : await killWhile(stage, placed, kills, random);
    const outcomes = await placed;
    clearInterval(watch);
    const seconds = (performance.now() - startedAt) / 1_000;
    const labCalls = await stage.labCalls();
    // What the clients left is charged a moment after they went.
    await sleep(1_000);
    await stage.service.stop();
    const tables = await readTables({ folder: stage.service.dataDir });
    const unposted = readUnposted(stage.service.dataDir);
    const accounts = stage.customers.map(({ account }) => account);
    const known = { orders, outcomes, calls: labCalls, tables, unposted, accounts };
    const verdict = audit({ ...known, creditNanos: creditUsd * 1e9, wasKilled: kills > 0 });
    const figures = {
      ...countsOf(outcomes),
      "turned away": verdict.turnedAway,
      kills: killed,
      seconds: seconds.toFixed(1),
      "calls/s": Math.round(outcomes.length / seconds),
      "gateway memory MiB": `${inMebibytes(idleMemory)} idle, ${inMebibytes(mostMemory)} at most`,
      "calls in the lab": labCalls.length,
      "delivered nano-USD": sum(verdict.sums.map(({ delivered }) => delivered)),
      "charged nano-USD": sum(verdict.sums.map(({ paid }) => paid)),
      "whole replies nano-USD": sum(verdict.sums.map(({ completed }) => completed)),
      "difference nano-USD": sum(verdict.sums.map(({ paid, delivered }) => paid - delivered)),
    };
    return { ...verdict, figures, outcomes };
  } finally {
    await stage.end();
  }
}

async function placeAll(
  { service, customers }: Stage,
  orders: readonly Order[],
  concurrency: number,
  tell: (line: string) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = orders.values();
  const until = performance.now() + longestRunMs;
  const place = (order: Order) => placeOrder(service.url, customers[order.account]?.keys[order.key] ?? "", order);
  const one = async () => {
    for (const order of waiting) {
      let outcome = await place(order);
      // Nobody has heard of it: it is asked again when somebody listens.
      while (outcome.is === "down" && performance.now() < until) {
        await sleep(50);
        outcome = await place(order);
      }
      outcomes.push(outcome);
      if (outcomes.length % 1_000 === 0) tell(`${outcomes.length} of ${orders.length}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return outcomes;
}

/** Kills the service at moments of chance as long as calls are made, and starts it again on the same data. */
async function killWhile({ service }: Stage, placed: Promise<unknown>, kills: number, random: () => number): Promise<number> {
  let isOver = false;
  void placed.finally(() => (isOver = true));
  let killed = 0;
  while (killed < kills) {
    await sleep(150 + random() * 700);
    if (isOver) break;
    await service.kill();
    killed++;
    await service.start(0);
  }
  return killed;
}

/** What each account paid in minutes that are not in the ledger yet. */
function readUnposted(folder: string): Map<string, number> {
  const db = new DatabaseSync(join(folder, "genway.db"), { readOnly: true });
  const rows = db.prepare("select account, sum(paid) as paid from usage where transfer = '' group by account").all();
  db.close();
  return new Map(rows.map(({ account, paid }) => [String(account), Number(paid)]));
}

function countsOf(outcomes: readonly Outcome[]): Record<string, number> {
  const ends = Map.groupBy(outcomes, ({ is }) => is);
  const counts = (["complete", "left", "broken", "refused", "lost"] as const).map((is): [string, number] => [
    is,
    ends.get(is)?.length ?? 0,
  ]);
  return { calls: outcomes.length, ...Object.fromEntries(counts) };
}

function inMebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function sum(list: readonly number[]): number {
  return list.reduce((total, value) => total + value, 0);
}
