import { setTimeout as sleep } from "node:timers/promises";
import { uuidv7 } from "../../src/kit/ids.ts";
import { processorMicros, readProcessor } from "../gateways/process-tree.ts";
import type { Samples } from "../gateways/samples.ts";
import type { Kind, Place } from "./engine-port.ts";
import { openEngine } from "./engine.ts";
import { firstWord, kill, startChild } from "./mortal.ts";
import { besides, seatOf, type Seat } from "./seats.ts";

export type HoldPlan = { jobs: number; askEveryMs: number; seconds: number };

/** What it costs to keep an upstream's slots for jobs that run there: rows, or one open handler each, all engines at the same time. */
export async function measureHolds(seats: readonly Seat[], samples: Samples, plan: HoldPlan): Promise<void> {
  const tried = (["genway", "pg-boss", "bullmq"] as const).flatMap((kind) => seatOf(seats, kind) ?? []);
  await Promise.all(tried.map((seat) => measureOne(seat, samples, plan)));
}

async function measureOne(seat: Seat, samples: Samples, { jobs, askEveryMs, seconds }: HoldPlan): Promise<void> {
  const place = await besides(seat, "holds");
  await prepare(seat.kind, place, jobs);
  const child = startChild({ role: "hold", kind: seat.kind, place, jobs, askEveryMs }, ["--expose-gc"]);
  try {
    const { says } = await firstWord(child);
    const pids = { database: seat.cluster.pid, redis: seat.redis?.pid ?? 0, process: child.pid ?? 0 };
    const before = Object.entries(pids).map(([name, pid]) => ({ name, pid, book: readProcessor(pid) }));
    await sleep(seconds * 1_000);
    const perThousandMinutes = 60 / seconds / (jobs / 1_000) / 1e6;
    for (const { name, pid, book } of before)
      samples.add(seat.title, `hold ${name}`, pid === 0 ? 0 : processorMicros(book, readProcessor(pid)) * perThousandMinutes);
    samples.add(seat.title, "hold bytes", Number(says) / jobs);
  } finally {
    await kill(child);
  }
}

async function prepare(kind: Kind, place: Place, jobs: number): Promise<void> {
  const engine = await openEngine(kind, place);
  const ids = Array.from({ length: jobs }, () => uuidv7());
  if (kind === "genway") await engine.fill(ids, 1);
  else if (kind === "bullmq") {
    const { Queue } = await import("bullmq");
    const { bullmqAt, jobOf } = await import("./bullmq-engine.ts");
    const queue = new Queue("held", bullmqAt(place));
    await queue.addBulk(ids.map((id) => jobOf(id)));
    await queue.close();
  } else {
    const { startBoss } = await import("./pg-boss-engine.ts");
    const boss = await startBoss(place.databaseUrl);
    // Half of it is how often each open handler writes.
    await boss.createQueue("held", { heartbeatSeconds: 30, expireInSeconds: 3_600 });
    await boss.insert(
      "held",
      ids.map((task) => ({ data: { task } })),
    );
    await boss.stop({ graceful: false });
  }
  await engine.close();
}
