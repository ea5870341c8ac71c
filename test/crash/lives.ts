import { setTimeout as sleep } from "node:timers/promises";
import type { Clients } from "./clients.ts";
import type { Order } from "./orders.ts";
import type { Receiver } from "./receiver.ts";
import type { Service } from "./service.ts";
import { readTables, type Source, type Tables } from "./tables.ts";

/** What happened to the process so far. */
export type Chronicle = {
  /** How far the service's clock is ahead of ours: each start comes as if some seconds had passed, so that polls and retries fall due. */
  aheadMs: number;
  killed: number;
  killedAtStart: number;
  listensMs: number[];
  readyMs: number[];
};

export type Stage = {
  kills: number;
  random: () => number;
  service: Service;
  chronicle: Chronicle;
  tell: (line: string) => void;
};

export type PlayedStage = Stage & {
  source: Source;
  clients: Clients;
  receiver: Receiver;
  orders: readonly Order[];
  placing: Promise<void>[];
};

const longestFirstStartMs = 1_500;
const longestRoundMs = 10_000;
const stallMs = 2_000;

/** Kills the first starts on an empty folder, each a little later than the one before. */
export async function killFirstStarts({ kills, random, service, chronicle }: Stage): Promise<void> {
  const count = Math.ceil(kills / 20);
  for (let place = 0; place < count; place++) {
    service.launch(chronicle.aheadMs);
    await sleep(((place + random()) / count) * longestFirstStartMs);
    await killAtStart(service, chronicle);
  }
}

async function killAtStart(service: Service, chronicle: Chronicle): Promise<void> {
  await service.kill();
  chronicle.killed++;
  chronicle.killedAtStart++;
}

/** Starts the service some seconds later by its own clock. */
export async function begin({ service, chronicle }: Stage, laterMs: number): Promise<void> {
  chronicle.aheadMs += Math.round(laterMs);
  const { listensMs, readyMs } = await service.start(chronicle.aheadMs);
  chronicle.listensMs.push(listensMs);
  chronicle.readyMs.push(readyMs);
}

/** One life after another, each ended by a kill at a moment of chance, while the orders come in. */
export async function killOften(stage: PlayedStage): Promise<void> {
  const { kills, random, service, chronicle, orders, clients, tell } = stage;
  const lives = kills - chronicle.killed;
  let next = 0;
  for (let life = 1; life <= lives; life++) {
    const laterMs = 4_000 + random() * 10_000;
    if (random() < 0.15) {
      chronicle.aheadMs += Math.round(laterMs);
      service.launch(chronicle.aheadMs);
      await sleep(random() * middle(chronicle.readyMs));
      await killAtStart(service, chronicle);
      continue;
    }
    await begin(stage, laterMs);
    // Now and then a long breath: else work that takes longer than a life would never end before the last kill.
    const spanMs = random() < 0.08 ? 1_500 + random() * 2_500 : 20 + random() * 580;
    for (const due = Math.round((orders.length * life) / lives); next < due; next++) placeLater(stage, orders[next], random() * spanMs);
    await sleep(spanMs);
    await service.kill();
    chronicle.killed++;
    if (chronicle.killed % 20 === 0) tell(`${chronicle.killed} kills, ${clients.accepted.size} of ${orders.length} orders accepted`);
  }
  for (; next < orders.length; next++) placeLater(stage, orders[next], 0);
}

function placeLater({ clients, placing }: PlayedStage, order: Order | undefined, delayMs: number): void {
  if (order === undefined) return;
  const placed = sleep(delayMs).then(() => clients.place(order));
  // Waited for at the end, unless the run breaks off before.
  placed.catch(() => undefined);
  placing.push(placed);
}

/** Lets the service finish in peace; only its clock jumps between orderly stops. Answers what the database holds then. */
export async function settle(stage: PlayedStage): Promise<Tables> {
  const { kills, service, source, placing, tell } = stage;
  const until = performance.now() + 90_000 + kills * 500;
  const isPlaced = Promise.all(placing).then(() => true);
  for (let round = 1; ; round++) {
    await begin(stage, 60_000);
    const isQuiet = (await Promise.race([isPlaced, sleep(longestRoundMs, false, { ref: false })])) && (await becomesQuiet(stage));
    if (isQuiet) await replayAll(stage);
    await service.stop();
    const tables = await readTables(source);
    tell(`round ${round} without kills: ${tables.steps.length} steps left`);
    if ((isQuiet && tables.steps.length === 0) || performance.now() > until) return tables;
  }
}

/** True when every task has ended and every end was told; false when nothing moves any more until the clock jumps. */
async function becomesQuiet({ clients, receiver, orders }: PlayedStage): Promise<boolean> {
  const isOver = ({ n, hook }: Order) => {
    const isTold = hook === null || [...receiver.heard(n).values()].some(({ times }) => times > 0);
    return isTold && clients.isEnded(clients.accepted.get(n) ?? "");
  };
  const open = () => orders.filter((order) => clients.accepted.has(order.n) && !isOver(order)).length;
  let [left, at] = [open(), performance.now()];
  for (const until = at + longestRoundMs; left > 0 && performance.now() < until && performance.now() - at < stallMs;) {
    await sleep(50);
    const now = open();
    if (now !== left) [left, at] = [now, performance.now()];
  }
  return left === 0;
}

/** The same key must lead to the same task, whatever has become of service and task since. */
async function replayAll({ clients, orders }: PlayedStage): Promise<void> {
  const waiting = orders.values();
  const one = async () => {
    for (const order of waiting) {
      const id = clients.accepted.get(order.n);
      const again = await clients.replay(order);
      if (again.id !== id || !again.replayed)
        clients.complaints.push(`order ${order.n} sent again: ${JSON.stringify(again)} instead of ${id}`);
    }
  };
  await Promise.all([one(), one(), one(), one()]);
  const [first] = orders;
  const other = first === undefined ? null : await clients.replay(first, { title: "another" });
  if (other !== null && other.status !== 422) clients.complaints.push(`another order under the same key was answered ${other.status}`);
}

/** The median. */
export function middle(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}
