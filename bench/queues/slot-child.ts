import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "bullmq";
import type { PollClaim, RunClaim } from "../../src/core/records.ts";
import { openBooks, type Books } from "./books.ts";
import type { Say } from "./child-word.ts";
import type { Place } from "./engine-port.ts";

/** How a worker keeps to the slots of an upstream: by rows, or by the engine's own limit on handlers, which end at once or stay open as long as the job. */
export type Keeping = "rows" | "pg-boss, handler ends" | "pg-boss, handler open" | "BullMQ, handler ends" | "BullMQ, handler open";
export type SlotOrder = { keeping: Keeping; place: Place; slots: number; jobMs: number };

const askEveryMs = 500;
/** The shortest that it accepts. */
export const heartbeatSeconds = 10;
/** A sixth of what is usual, so that the run is short. */
export const lockMs = 5_000;

/** On a second word, starts jobs of an upstream, asks about them and settles, until it is killed; tells of each step. */
export async function workSlots(order: SlotOrder, say: Say): Promise<void> {
  const open = order.keeping === "rows" ? openRows : order.keeping.startsWith("pg-boss") ? openBoss : openRedis;
  const begin = await open(order, say);
  say({ says: "ready" });
  await once(process, "message");
  await begin();
}

type Begin = () => Promise<void>;

async function openRows({ place, slots, jobMs }: SlotOrder, say: Say): Promise<Begin> {
  const { startLooker } = await import("./looker.ts");
  const { openPostgresStore } = await import("../../src/store/postgres.ts");
  const { claimAt, endTask, startTask } = await import("./genway-engine.ts");
  const store = await openPostgresStore(place.databaseUrl);
  const begin = async (claim: RunClaim) => {
    say({ says: "started", id: claim.taskId });
    await startTask(store, claim, Date.now(), askEveryMs);
    say({ says: "accepted", id: claim.taskId });
  };
  const ask = async (claim: PollClaim) => {
    say({ says: "asked", id: claim.taskId });
    if (Date.now() < (claim.attempt.acceptedAt ?? 0) + jobMs) return;
    await endTask(store, claim, Date.now());
    say({ says: "ended", id: claim.taskId });
  };
  return async () => {
    startLooker(async () => {
      const { runs, polls } = await store.claim(claimAt(Date.now(), { slots, againMs: askEveryMs }));
      await Promise.all([...runs.map(begin), ...polls.map(ask)]);
    });
  };
}

async function openBoss({ keeping, place, slots, jobMs }: SlotOrder, say: Say): Promise<Begin> {
  const { startBoss } = await import("./pg-boss-engine.ts");
  const books = await openBooks(place.databaseUrl);
  const boss = await startBoss(place.databaseUrl, { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1 });
  const often = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };
  const limited = { ...often, localConcurrency: slots, groupConcurrency: slots };
  if (keeping === "pg-boss, handler open")
    return async () => {
      await boss.work<{ task: string }>("start", limited, async ([job]) => follow(books, job?.data.task ?? "", jobMs, say));
    };
  return async () => {
    await boss.work<{ task: string }>("start", limited, async ([job]) => {
      const task = job?.data.task ?? "";
      const doneAt = (await start(books, task, say)) + jobMs;
      await boss.send("poll", { task, doneAt }, { startAfter: 1 });
    });
    await boss.work<{ task: string; doneAt: number }>("poll", { ...often, batchSize: 100 }, async (jobs) => {
      for (const { data } of jobs) {
        say({ says: "asked", id: data.task });
        if (Date.now() < data.doneAt) await boss.send("poll", data, { startAfter: 1 });
        else await end(books, data.task, say);
      }
    });
  };
}

async function openRedis({ keeping, place, slots, jobMs }: SlotOrder, say: Say): Promise<Begin> {
  const { Worker } = await import("bullmq");
  const { bullmqAt, later } = await import("./bullmq-engine.ts");
  const books = await openBooks(place.databaseUrl);
  const processor = async (job: Job, token: string | undefined) => {
    const task = String(job.id);
    if (keeping === "BullMQ, handler open") return follow(books, task, jobMs, say);
    const isFirst = job.attemptsStarted === 1;
    const doneAt = (await start(books, task, say)) + jobMs;
    if (!isFirst) say({ says: "asked", id: task });
    if (isFirst || Date.now() < doneAt) return later(job, token, askEveryMs);
    await end(books, task, say);
  };
  const locks = { lockDuration: lockMs, stalledInterval: lockMs, maxStalledCount: 10 };
  const worker = new Worker("start", processor, { ...bullmqAt(place), ...locks, concurrency: slots, autorun: false });
  worker.on("error", () => undefined);
  await worker.waitUntilReady();
  return () => worker.run();
}

/** Sends a job, unless a process that was killed has sent it, or may have; answers when that was. */
async function start(books: Books, task: string, say: Say): Promise<number> {
  const question = "select coalesce(accepted_at, created_at) as at from attempt where task = $1";
  const { rows } = await books.pool.query<{ at: string }>(question, [task]);
  if (rows[0] !== undefined) return Number(rows[0].at);
  await books.intend(books.pool, [task]);
  say({ says: "started", id: task });
  await books.transact((session) => books.accepted(session, [task]));
  say({ says: "accepted", id: task });
  return Date.now();
}

/** The whole of a job in one handler. */
async function follow(books: Books, task: string, jobMs: number, say: Say): Promise<void> {
  const doneAt = (await start(books, task, say)) + jobMs;
  do {
    await sleep(askEveryMs);
    say({ says: "asked", id: task });
  } while (Date.now() < doneAt);
  await end(books, task, say);
}

async function end(books: Books, task: string, say: Say): Promise<void> {
  await books.transact((session) => books.settle(session, [task]));
  say({ says: "ended", id: task });
}
