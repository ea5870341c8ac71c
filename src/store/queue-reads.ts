import { sql } from "kysely";
import type { StoreReads } from "../core/ports.ts";
import type { Waiting } from "../core/records.ts";
import type { Query } from "./query.ts";
import { taskOf } from "./rows.ts";

/** Rows of each queue and phase, with when the oldest of them is or was due. */
export async function queueDepth(db: Query): ReturnType<StoreReads["queueDepth"]> {
  const queue = sql<string>`case when phase = 'chore' then work else lane end`;
  return db
    .selectFrom("step")
    .select((eb) => [queue.as("lane"), "phase", eb.fn.countAll<number>().as("count"), eb.fn.min<number>("run_at").as("dueAt")])
    .groupBy([queue, "phase"])
    .execute();
}

/** Where tasks wait that were due before a time. */
export async function queues(db: Query, { dueBefore }: { dueBefore: number }): ReturnType<StoreReads["queues"]> {
  return db
    .selectFrom("step")
    .select((eb) => ["lane", "credential", eb.fn.countAll<number>().as("count"), eb.fn.min<number>("run_at").as("dueAt")])
    .where("phase", "=", "start")
    .where("run_at", "<=", dueBefore)
    .groupBy(["lane", "credential"])
    .execute();
}

/** Those that wait in one place, by id. */
export async function waiting(db: Query, question: Parameters<StoreReads["waiting"]>[0]): Promise<Waiting[]> {
  const { lane, credential, dueBefore, after, limit } = question;
  const rows = await db
    .selectFrom("step")
    .innerJoin("task", "task.id", "step.id")
    .selectAll("task")
    .select(["step.fence", "step.attempt"])
    .where("step.phase", "=", "start")
    .where("step.lane", "=", lane)
    .where("step.credential", "=", credential)
    .where("step.run_at", "<=", dueBefore)
    .where("step.id", ">", after)
    .orderBy("step.id")
    .limit(limit)
    .execute();
  return rows.map(({ fence, attempt, ...task }) => ({ task: taskOf(task), fence, attempt, lane, credential }));
}
