import { setTimeout as sleep } from "node:timers/promises";
import type { Say } from "./child-word.ts";
import type { Kind, Place } from "./engine-port.ts";

/** Jobs that are under way upstream, each asked about every so often. */
export type HoldOrder = { kind: Kind; place: Place; jobs: number; askEveryMs: number };

/** Keeps jobs that have been started: as rows, or as one open handler each, until it is killed. Says how much memory that takes. */
export async function holdMany(order: HoldOrder, say: Say): Promise<void> {
  const open = order.kind === "genway" ? holdRows : order.kind === "bullmq" ? holdRedisJobs : holdBossJobs;
  let held = 0;
  const begin = await open(order, async () => {
    held++;
    for (;;) await sleep(order.askEveryMs);
  });
  const before = memory();
  await begin();
  while (order.kind !== "genway" && held < order.jobs) await sleep(50);
  await sleep(1_000);
  say({ says: String(memory() - before) });
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

type Begin = () => Promise<unknown>;
type Handler = () => Promise<never>;

async function holdRows({ place, askEveryMs }: HoldOrder): Promise<Begin> {
  const { openPostgresStore } = await import("../../src/store/postgres.ts");
  const { startLooker } = await import("./looker.ts");
  const { claimAt } = await import("./genway-engine.ts");
  const store = await openPostgresStore(place.databaseUrl);
  const look = () => store.claim(claimAt(Date.now(), { slots: 1, againMs: askEveryMs }));
  await look();
  return async () => startLooker(async () => void (await look()));
}

async function holdBossJobs({ place, jobs }: HoldOrder, handler: Handler): Promise<Begin> {
  const { startBoss } = await import("./pg-boss-engine.ts");
  const boss = await startBoss(place.databaseUrl, {});
  return () => boss.work("held", { localConcurrency: jobs }, handler);
}

async function holdRedisJobs({ place, jobs }: HoldOrder, handler: Handler): Promise<Begin> {
  const { Worker } = await import("bullmq");
  const { bullmqAt } = await import("./bullmq-engine.ts");
  const worker = new Worker("held", handler, { ...bullmqAt(place), concurrency: jobs, autorun: false });
  await worker.waitUntilReady();
  return async () => void worker.run();
}
