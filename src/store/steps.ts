import type { AnswerRequest, Claim } from "../core/records.ts";
import { mayMove, type Status, type Task } from "../core/task.ts";
import { announceChanges } from "./outbox.ts";
import { freeGates } from "./gates.ts";
import { byKey, eachTask, locking, type Tx, type Verb } from "./query.ts";
import { taskOf } from "./rows.ts";

/** Writes down that a job is about to be sent; after this a crash leaves its outcome unknown. */
export const intend: Verb<Claim & { model: string }, boolean> = eachTask(async (tx, { taskId, fence, model }) => {
  const step = await fenced(tx, { taskId, fence });
  if (step?.phase !== "run") return false;
  await tx.db.updateTable("attempt").set({ state: "INTENT", model }).where("task", "=", taskId).where("n", "=", step.attempt).execute();
  return true;
});

/** Writes down what came of a job: the upstream has it, or a definite no, at once or later, sends the task back to a queue. */
export const answer: Verb<AnswerRequest, Task | null> = eachTask(async (tx, request) => {
  const { db } = tx;
  const step = await fenced(tx, request);
  if (step === null || (step.phase !== "run" && request.outcome === "accepted")) return null;
  const attempt = db.updateTable("attempt").where("task", "=", request.taskId).where("n", "=", step.attempt);
  if (request.outcome === "accepted") {
    await attempt
      .set({ state: "ACCEPTED", upstream_id: request.upstreamId, keep: JSON.stringify(request.keep), accepted_at: request.now })
      .execute();
    await db
      .updateTable("step")
      .set({ phase: "poll", leased: 0, run_at: request.pollAt, since: request.now })
      .where("id", "=", request.taskId)
      .execute();
    return change(tx, request.taskId, "QUEUED", 0, request.now);
  }
  const state = step.phase === "run" ? "REJECTED" : "ENDED";
  await attempt.set({ state, failure: request.failure, cause: request.cause, ended_at: request.now }).execute();
  const slots = await db
    .selectFrom("attempt")
    .select(["lane", "credential"])
    .where("task", "=", request.taskId)
    .where("n", "=", step.attempt)
    .execute();
  await freeGates(tx, slots);
  const { lane, credential, retryAt } = request;
  await db
    .updateTable("step")
    .set({ phase: "start", leased: 0, lane, credential: credential ?? "", run_at: retryAt, fence: step.fence + 1 })
    .where("id", "=", request.taskId)
    .execute();
  return null;
});

/** Moves what clients see; answers null, and writes nothing, when nothing changed. */
export const progress: Verb<{ taskId: string; status: Status; progress: number; now: number }, Task | null> = eachTask((tx, request) =>
  change(tx, request.taskId, request.status, request.progress, request.now),
);

async function change(tx: Tx, taskId: string, wanted: Status, percent: number, now: number): Promise<Task | null> {
  const row = await locking(tx, tx.db.selectFrom("task").selectAll().where("id", "=", taskId)).executeTakeFirst();
  if (row === undefined || row.finished_at !== null) return null;
  const before = row.status as Status;
  const status = mayMove(before, wanted) ? wanted : before;
  const next = Math.max(row.progress, Math.min(99, Math.floor(percent)));
  if (status === before && next === row.progress) return null;
  const startedAt = row.started_at ?? (status === "IN_PROGRESS" ? now : null);
  const changed = { ...row, status, progress: next, started_at: startedAt, version: row.version + 1 };
  await tx.db
    .updateTable("task")
    .set({ status, progress: next, started_at: startedAt, version: changed.version })
    .where("id", "=", taskId)
    .execute();
  if (status !== before) await announceChanges(tx, [changed], "task.updated", now);
  return taskOf(changed);
}

/** Takes the lease under which a finished job's media are stored; answers the new fence. */
export const beginCollect: Verb<Claim & { leaseUntil: number }, number | null> = eachTask(async (tx, request) => {
  const step = await fenced(tx, request);
  if (step === null && tx.again) return begunBefore(tx, request);
  if (step === null || step.phase !== "poll") return null;
  await tx.db
    .updateTable("step")
    .set({ phase: "collect", leased: 1, run_at: request.leaseUntil, fence: step.fence + 1 })
    .where("id", "=", request.taskId)
    .execute();
  return step.fence + 1;
});

async function begunBefore({ db }: Tx, { taskId, fence, leaseUntil }: Claim & { leaseUntil: number }): Promise<number | null> {
  const mine = db
    .selectFrom("step")
    .select("fence")
    .where("id", "=", taskId)
    .where("phase", "=", "collect")
    .where("run_at", "=", leaseUntil);
  return (await mine.where("fence", "=", fence + 1).executeTakeFirst())?.fence ?? null;
}

/** Gives a lease back and asks to be called again at a time. */
export const park: Verb<Claim & { runAt: number }, boolean> = eachTask(async (tx, request) => {
  const step = await fenced(tx, request);
  if (step === null) return false;
  await tx.db.updateTable("step").set({ leased: 0, run_at: request.runAt }).where("id", "=", request.taskId).execute();
  return true;
});

/** Puts a task that waits into another queue, at the same place in the line. */
export const redirect: Verb<Claim & { lane: string; credential: string | null; now: number }, boolean> = eachTask(
  async ({ db }, { taskId, fence, lane, credential, now }) => {
    const { numUpdatedRows } = await db
      .updateTable("step")
      .set({ lane, credential: credential ?? "", run_at: now, fence: fence + 1 })
      .where("id", "=", taskId)
      .where("phase", "=", "start")
      .where("fence", "=", fence)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
);

/** Asks about a job as soon as possible; false where it is not waiting to be asked about. */
export const pollNow: Verb<{ taskId: string; attempt: number; now: number }, boolean> = eachTask(
  async ({ db }, { taskId, attempt, now }) => {
    const { numUpdatedRows } = await db
      .updateTable("step")
      .set({ run_at: now })
      .where("id", "=", taskId)
      .where("phase", "=", "poll")
      .where("attempt", "=", attempt)
      .where("run_at", ">", now)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
);

/** Keeps a lease while the work goes on. */
export const renew: Verb<Claim & { leaseUntil: number }, boolean> = async (tx, claims) => {
  const ids = claims.map(({ taskId }) => taskId);
  const held = tx.db.selectFrom("step").select(["id", "fence"]).where("id", "in", ids).orderBy("id");
  const steps = byKey(await locking(tx, held).execute(), ({ id }) => id);
  const kept = claims.filter(({ taskId, fence }) => steps.get(taskId)?.fence === fence);
  for (const until of new Set(kept.map(({ leaseUntil }) => leaseUntil))) {
    const members = kept.filter(({ leaseUntil }) => leaseUntil === until).map(({ taskId }) => taskId);
    await tx.db.updateTable("step").set({ run_at: until }).where("id", "in", members).execute();
  }
  return claims.map((claim) => kept.includes(claim));
};

/** The step, if this claim still owns it. */
async function fenced(tx: Tx, { taskId, fence }: Claim) {
  const step = await locking(
    tx,
    tx.db.selectFrom("step").select(["phase", "fence", "attempt"]).where("id", "=", taskId),
  ).executeTakeFirst();
  return step !== undefined && step.fence === fence ? step : null;
}
