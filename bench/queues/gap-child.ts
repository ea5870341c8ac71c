import { uuidv7 } from "../../src/kit/ids.ts";
import { openBooks } from "./books.ts";
import type { Say } from "./child-word.ts";
import type { Kind, Place } from "./engine-port.ts";
import { openEngine } from "./engine.ts";
import { hourMs } from "./portion.ts";

export type GapOrder = {
  kind: Kind;
  place: Place;
  /** The job goes to the queue before its rows go to the database. */ isJobFirst: boolean;
};

const writers = 8;

/** Submits, several at once, until it is killed. */
export async function submitMany({ kind, place, isJobFirst }: GapOrder, say: Say): Promise<void> {
  const submit = isJobFirst ? await jobFirst(place) : (await openEngine(kind, place)).submit;
  await submit(uuidv7());
  say({ says: "ready" });
  await atOnceForEver(() => submit(uuidv7()));
}

async function jobFirst(place: Place): Promise<(id: string) => Promise<void>> {
  const { Queue } = await import("bullmq");
  const { bullmqAt, jobOf } = await import("./bullmq-engine.ts");
  const books = await openBooks(place.databaseUrl);
  const queue = new Queue("tasks", bullmqAt(place));
  return async (id) => {
    await queue.add("video", {}, jobOf(id).opts);
    await books.transact((session) => books.accept(session, [id]));
  };
}

/** Settles the tasks whose jobs are due and ends those jobs, one by one and several at once, until it is killed. */
export async function endMany({ kind, place }: GapOrder, say: Say): Promise<void> {
  if (kind === "genway") return endSteps(place, say);
  return kind === "bullmq" ? endRedisJobs(place, say) : endBossJobs(place, say);
}

async function endSteps({ databaseUrl }: Place, say: Say): Promise<void> {
  const { openPostgresStore } = await import("../../src/store/postgres.ts");
  const { claimAt, endTask } = await import("./genway-engine.ts");
  const store = await openPostgresStore(databaseUrl);
  say({ says: "ready" });
  await atOnceForEver(async () => {
    const { polls } = await store.claim({ ...claimAt(Date.now(), { slots: 1, againMs: hourMs }), polls: 1 });
    for (const claim of polls) await endTask(store, claim, Date.now());
  });
}

async function endBossJobs({ databaseUrl }: Place, say: Say): Promise<void> {
  const { sameTransaction, startBoss } = await import("./pg-boss-engine.ts");
  const books = await openBooks(databaseUrl);
  const boss = await startBoss(databaseUrl);
  say({ says: "ready" });
  await atOnceForEver(async () => {
    for (const { id, data } of await boss.fetch<{ task: string }>("waiting"))
      await books.transact(async (session) => {
        await books.settle(session, [data.task]);
        await boss.complete("waiting", id, null, { db: sameTransaction(session) });
      });
  });
}

async function endRedisJobs(place: Place, say: Say): Promise<void> {
  const { Worker } = await import("bullmq");
  const { bullmqAt } = await import("./bullmq-engine.ts");
  const books = await openBooks(place.databaseUrl);
  const settle = (id: string) => books.transact((session) => books.settle(session, [id]));
  const worker = new Worker("waiting", (job) => settle(String(job.id)), { ...bullmqAt(place), concurrency: writers, autorun: false });
  await worker.waitUntilReady();
  say({ says: "ready" });
  await worker.run();
}

async function atOnceForEver(act: () => Promise<void>): Promise<void> {
  const writer = async () => {
    for (;;) await act();
  };
  await Promise.all(Array.from({ length: writers }, writer));
}
