import type { ChoreClaim, ClaimReply, ClaimRequest, PollClaim, RunClaim } from "../core/records.ts";
import { claimPolls } from "./claim-polls.ts";
import { claimWaiting, type Step } from "./claim-waiting.ts";
import type { Gate } from "./gates.ts";
import { byKey, each, skippingLocked, type Tx, type Verb } from "./query.ts";
import { attemptOf, taskOf } from "./rows.ts";

/** Hands out due work: waiting tasks for which a slot is free, jobs to poll, chores, and leases that ran out. */
export const claim: Verb<ClaimRequest, ClaimReply> = each(async (tx, request) => {
  const gates = await tx.db.selectFrom("gate").selectAll().execute();
  const due = await claimDue(tx, request, gates);
  const started = await claimWaiting(tx, request, gates);
  const runs = await runClaims(tx, [...started, ...due.runs]);
  return { runs, polls: due.polls, chores: due.chores, expired: await overdue(tx, request) };
});

type Due = { runs: Step[]; polls: PollClaim[]; chores: ChoreClaim[] };

async function claimDue(tx: Tx, request: ClaimRequest, gates: readonly Gate[]): Promise<Due> {
  const rows = await skippingLocked(
    tx,
    tx.db
      .selectFrom("step")
      .selectAll()
      .where("phase", "<>", "start")
      .where("run_at", "<=", request.now)
      .orderBy("run_at")
      .limit(request.polls + request.chores),
  ).execute();
  const leased = rows.filter(({ phase }) => phase !== "poll");
  await lease(tx, leased, request);
  const polls = await claimPolls(
    tx,
    rows.filter(({ phase }) => phase === "poll" || phase === "collect"),
    request,
    gates,
  );
  return {
    runs: leased.filter(({ phase }) => phase === "run").map((step) => ({ id: step.id, fence: step.fence + 1, attempt: step.attempt })),
    polls,
    chores: leased.filter(({ phase }) => phase === "chore").map(({ id, work, fence }) => ({ id, chore: work, fence: fence + 1 })),
  };
}

async function lease({ db }: Tx, steps: readonly { id: string }[], request: ClaimRequest): Promise<void> {
  if (steps.length === 0) return;
  await db
    .updateTable("step")
    .set((eb) => ({ leased: 1, run_at: request.now + request.leaseMs, fence: eb("fence", "+", 1) }))
    .where(
      "id",
      "in",
      steps.map(({ id }) => id),
    )
    .execute();
}

async function runClaims({ db }: Tx, steps: readonly Step[]): Promise<RunClaim[]> {
  if (steps.length === 0) return [];
  const ids = steps.map(({ id }) => id);
  const tasks = byKey(await db.selectFrom("task").selectAll().where("id", "in", ids).execute(), ({ id }) => id);
  const attempts = byKey(await db.selectFrom("attempt").selectAll().where("task", "in", ids).execute(), ({ task, n }) => `${task} ${n}`);
  return steps.flatMap(({ id, fence, attempt: n }) => {
    const task = tasks.get(id);
    const attempt = attempts.get(`${id} ${n}`);
    return task === undefined || attempt === undefined ? [] : [{ taskId: id, fence, task: taskOf(task), attempt: attemptOf(attempt) }];
  });
}

async function overdue({ db }: Tx, request: ClaimRequest) {
  const rows = await db
    .selectFrom("step")
    .select(["id", "fence"])
    .where("phase", "=", "start")
    .where("deadline_at", "<=", request.now)
    .limit(50)
    .execute();
  return rows.map(({ id, fence }) => ({ taskId: id, fence }));
}
