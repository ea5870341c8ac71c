import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../test/support/eventually.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import type { Word } from "./child-word.ts";
import { openBooks } from "./books.ts";
import type { Kind, Place } from "./engine-port.ts";
import { firstWord, kill, startChild } from "./mortal.ts";
import { besides, seatOf, type Seat } from "./seats.ts";
import { heartbeatSeconds, type Keeping } from "./slot-child.ts";

export type SlotPlan = { tasks: number; slots: number; jobMs: number; withinMs: number };

/** What became of an upstream's limit when the process that had all its slots was killed. */
export type SlotStory = {
  keeping: Keeping;
  /** Most jobs that were under way upstream at the same time. */
  mostOpen: number;
  /** From the kill until each job of the dead process had been asked about again; infinite if that did not happen. */
  unheardSeconds: number;
  /** From the kill until all tasks had ended, or infinite. */
  endedSeconds: number;
};

const ways: { keeping: Keeping; kind: Kind }[] = [
  { keeping: "rows", kind: "genway" },
  { keeping: "pg-boss, handler ends", kind: "pg-boss" },
  { keeping: "pg-boss, handler open", kind: "pg-boss" },
  { keeping: "BullMQ, handler ends", kind: "bullmq" },
  { keeping: "BullMQ, handler open", kind: "bullmq" },
];

/** Kills the process that filled an upstream's slots, for every way of keeping to a limit, all at the same time: most of it is waiting. */
export async function tellSlots(seats: readonly Seat[], plan: SlotPlan): Promise<SlotStory[]> {
  const stories = ways.map(async ({ keeping, kind }, n) => {
    const seat = seatOf(seats, kind);
    return seat === undefined ? [] : [await tellOne(keeping, kind, await besides(seat, `slots_${n}`), plan)];
  });
  return (await Promise.all(stories)).flat();
}

async function tellOne(keeping: Keeping, kind: Kind, place: Place, plan: SlotPlan): Promise<SlotStory> {
  const { slots, jobMs } = plan;
  await prepare(kind, place, plan);
  const starts: { id: string; at: number }[] = [];
  const accepted = new Set<string>();
  const ended = new Set<string>();
  const heardAgain = new Map<string, number>();
  const order = { role: "slots", keeping, place, slots, jobMs } as const;
  const [first, second] = [startChild(order), startChild(order)];
  for (const child of [first, second])
    child.on("message", ({ says, id = "" }: Word) => {
      if (says === "started") starts.push({ id, at: performance.now() });
      if (says === "accepted") accepted.add(id);
      if (says === "ended") ended.add(id);
      if (says === "asked" && child === second) heardAgain.set(id, heardAgain.get(id) ?? performance.now());
    });
  await Promise.all([first, second].map(firstWord));
  first.send("go");
  await eventually(() => accepted.size >= slots, { withinMs: 20_000, what: "the start of jobs" });
  await kill(first);
  const killedAt = performance.now();
  second.send("go");
  const orphans = starts.map(({ id }) => id).filter((id) => !ended.has(id));
  const endedAt = await allEnded(place, plan);
  await kill(second);
  const heard = orphans.map((id) => heardAgain.get(id) ?? Infinity);
  return {
    keeping,
    mostOpen: mostAtOnce(starts, jobMs),
    unheardSeconds: heard.length === 0 ? Number.NaN : (Math.max(...heard) - killedAt) / 1_000,
    endedSeconds: (endedAt - killedAt) / 1_000,
  };
}

async function allEnded(place: Place, { tasks, withinMs }: SlotPlan): Promise<number> {
  const books = await openBooks(place.databaseUrl);
  const question = "select count(*)::int as n from task where finished_at is not null";
  try {
    for (const until = performance.now() + withinMs; performance.now() < until; await sleep(100))
      if (((await books.pool.query<{ n: number }>(question)).rows[0]?.n ?? 0) >= tasks) return performance.now();
    return Infinity;
  } finally {
    await books.close();
  }
}

/** Jobs last as long upstream as they last, whatever becomes of whoever started them. */
function mostAtOnce(starts: readonly { at: number }[], jobMs: number): number {
  return Math.max(...starts.map(({ at }) => starts.filter((one) => one.at <= at && one.at + jobMs > at).length));
}

/** Tasks that wait to be started, and the limit where it belongs to the queue. */
async function prepare(kind: Kind, place: Place, { tasks, slots }: SlotPlan): Promise<void> {
  const ids = Array.from({ length: tasks }, () => uuidv7());
  if (kind === "genway") {
    const { openEngine } = await import("./engine.ts");
    const engine = await openEngine(kind, place);
    await Promise.all(ids.map((id) => engine.submit(id)));
    return engine.close();
  }
  const books = await openBooks(place.databaseUrl);
  await books.transact((session) => books.accept(session, ids));
  await books.close();
  await (kind === "bullmq" ? prepareRedis(place, ids, slots) : prepareBoss(place, ids));
}

async function prepareRedis(place: Place, ids: readonly string[], slots: number): Promise<void> {
  const { Queue } = await import("bullmq");
  const { bullmqAt, jobOf } = await import("./bullmq-engine.ts");
  const queue = new Queue("start", bullmqAt(place));
  await queue.setGlobalConcurrency(slots);
  await queue.addBulk(ids.map((id) => jobOf(id)));
  await queue.close();
}

async function prepareBoss(place: Place, ids: readonly string[]): Promise<void> {
  const { startBoss } = await import("./pg-boss-engine.ts");
  const boss = await startBoss(place.databaseUrl);
  await boss.createQueue("start", { heartbeatSeconds, retryLimit: 10, notify: true });
  await boss.createQueue("poll", { heartbeatSeconds, retryLimit: 10 });
  await boss.insert(
    "start",
    ids.map((task) => ({ data: { task }, group: { id: "upstream" } })),
  );
  await boss.stop({ graceful: false });
}
