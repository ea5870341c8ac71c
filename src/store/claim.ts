import { sql } from "kysely";
import { pollDelayMs } from "../core/pace.ts";
import type { ChoreClaim, ClaimReply, ClaimRequest, PollClaim, RunClaim } from "../core/records.ts";
import type { TaskKind } from "../core/kinds.ts";
import type { Status } from "../core/task.ts";
import { byKey, each, type Tx, type Verb } from "./query.ts";
import { attemptOf, taskOf } from "./rows.ts";

/** Hands out due work: waiting tasks for which a slot is free, jobs to poll, chores, and leases that ran out. */
export const claim: Verb<ClaimRequest, ClaimReply> = each(async (tx, request) => {
  // Slots are counted before they are taken: whoever shares the database waits for the count.
  if (tx.dialect === "postgres") await sql`select pg_advisory_xact_lock(${slotLock})`.execute(tx.db);
  const gates = await tx.db.selectFrom("gate").selectAll().execute();
  const started = await claimWaiting(tx, request, gates);
  const due = await claimDue(tx, request, gates);
  const runs = await runClaims(tx, [...started, ...due.runs]);
  return { runs, polls: due.polls, chores: due.chores, expired: await overdue(tx, request) };
});

const slotLock = 7_234_001;

type Gate = { lane: string; credential: string; used: number };
type Step = { id: string; fence: number; attempt: number };

/** Takes slots for the fair share's next tasks: gate, attempt and lease move together. */
async function claimWaiting(tx: Tx, request: ClaimRequest, gates: Gate[]): Promise<Step[]> {
  const { db } = tx;
  if (request.lanes.length === 0) return [];
  const used = new Map(gates.map((gate) => [`${gate.lane} ${gate.credential}`, gate.used]));
  const taken: (Step & { lane: string; provider: string; credential: string; rank: number })[] = [];
  for (const { lane, provider, credentials } of request.lanes) {
    const free = new Map(credentials.map(({ id, limit, most }) => [id, Math.min(most, limit - (used.get(`${lane} ${id}`) ?? 0))]));
    const slots = [...free.values()].reduce((sum, count) => sum + Math.max(0, count), 0);
    if (slots === 0) continue;
    const waiting = await skippingLocked(
      tx,
      db
        .selectFrom("step")
        .select(["id", "fence", "attempt", "credential", "rank"])
        .where("phase", "=", "start")
        .where("lane", "=", lane)
        .where("run_at", "<=", request.now)
        .where("deadline_at", ">", request.now)
        .orderBy("rank")
        .limit(Math.min(slots + 20, 200)),
    ).execute();
    for (const step of waiting) {
      const credential = step.credential === "" ? mostFree(free) : step.credential;
      const left = credential === null ? 0 : (free.get(credential) ?? 0);
      if (credential === null || left <= 0) continue;
      free.set(credential, left - 1);
      taken.push({ ...step, attempt: step.attempt + 1, fence: step.fence + 1, lane, provider, credential });
    }
  }
  await takeSlots(tx, taken, request);
  return taken;
}

function mostFree(free: Map<string, number>): string | null {
  let best: string | null = null;
  for (const [credential, count] of free) if (count > 0 && (best === null || count > (free.get(best) ?? 0))) best = credential;
  return best;
}

async function takeSlots(
  tx: Tx,
  taken: readonly (Step & { lane: string; provider: string; credential: string; rank: number })[],
  request: ClaimRequest,
) {
  if (taken.length === 0) return;
  const { db } = tx;
  await db
    .updateTable("step")
    .set((eb) => ({
      phase: "run",
      leased: 1,
      run_at: request.now + request.leaseMs,
      fence: eb("fence", "+", 1),
      attempt: eb("attempt", "+", 1),
    }))
    .where(
      "id",
      "in",
      taken.map(({ id }) => id),
    )
    .execute();
  await db
    .insertInto("attempt")
    .values(
      taken.map(({ id, attempt, lane, provider, credential }) => ({
        task: id,
        n: attempt,
        lane,
        provider,
        credential,
        model: "",
        state: "PREPARED",
        upstream_id: null,
        keep: "{}",
        created_at: request.now,
        accepted_at: null,
        ended_at: null,
        cause: null,
        failure: null,
      })),
    )
    .execute();
  await changeGates(tx, taken, 1);
  const clocks = new Map<string, number>();
  for (const { lane, rank } of taken) clocks.set(lane, Math.max(rank, clocks.get(lane) ?? 0));
  await db
    .insertInto("share")
    .values([...clocks].map(([lane, rank]) => ({ lane, account: "", rank })))
    .onConflict((conflict) => conflict.columns(["lane", "account"]).doUpdateSet({ rank: (eb) => eb.ref("excluded.rank") }))
    .execute();
}

/** Adds to or takes from the slots in use. */
export async function changeGates({ db }: Tx, slots: readonly { lane: string; credential: string }[], by: 1 | -1): Promise<void> {
  const counts = new Map<string, { lane: string; credential: string; used: number }>();
  for (const { lane, credential } of slots) {
    const name = `${lane} ${credential}`;
    const count = counts.get(name) ?? { lane, credential, used: 0 };
    count.used += by;
    counts.set(name, count);
  }
  if (counts.size === 0) return;
  await db
    .insertInto("gate")
    .values([...counts.values()])
    .onConflict((conflict) =>
      conflict.columns(["lane", "credential"]).doUpdateSet((eb) => ({ used: eb("gate.used", "+", eb.ref("excluded.used")) })),
    )
    .execute();
}

type Due = { runs: Step[]; polls: PollClaim[]; chores: ChoreClaim[] };

async function claimDue(tx: Tx, request: ClaimRequest, gates: Gate[]): Promise<Due> {
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

// Of a provider that has left the configuration.
const unknownPace = { everyMs: 5_000, perSecond: 100, expectedMs: null };

type StepRow = {
  id: string;
  phase: string;
  lane: string;
  work: string;
  fence: number;
  run_at: number;
  attempt: number;
  since: number;
  deadline_at: number;
};

/** Claiming a poll is moving its row to the next poll time: a crash just means the next poll. */
async function claimPolls({ db }: Tx, steps: readonly StepRow[], request: ClaimRequest, gates: Gate[]): Promise<PollClaim[]> {
  if (steps.length === 0) return [];
  const ids = steps.map(({ id }) => id);
  const crowds = new Map<string, number>();
  for (const { lane, used } of gates) crowds.set(lane, (crowds.get(lane) ?? 0) + used);
  const byDelay = new Map<number, string[]>();
  for (const step of steps) {
    if (step.phase !== "poll") continue;
    const pace = request.paces[`${step.lane} ${step.work}`] ?? unknownPace;
    const delay = pollDelayMs(request.now - step.since, pace, crowds.get(step.lane) ?? 0);
    byDelay.set(delay, [...(byDelay.get(delay) ?? []), step.id]);
  }
  for (const [delay, members] of byDelay) {
    await db
      .updateTable("step")
      .set({ run_at: request.now + delay })
      .where("id", "in", members)
      .execute();
  }
  const tasks = byKey(
    await db.selectFrom("task").select(["id", "kind", "status", "progress"]).where("id", "in", ids).execute(),
    ({ id }) => id,
  );
  const attempts = byKey(
    await db.selectFrom("attempt").selectAll().where("task", "in", ids).where("state", "=", "ACCEPTED").execute(),
    ({ task }) => task,
  );
  return steps.flatMap((step) => {
    const task = tasks.get(step.id);
    const attempt = attempts.get(step.id);
    if (task === undefined || attempt === undefined) return [];
    return [
      {
        taskId: step.id,
        fence: step.phase === "collect" ? step.fence + 1 : step.fence,
        attempt: attemptOf(attempt),
        kind: task.kind as TaskKind,
        status: task.status as Status,
        progress: task.progress,
        deadlineAt: step.deadline_at,
        phase: step.phase === "collect" ? ("collect" as const) : ("poll" as const),
        lagMs: Math.max(0, request.now - step.run_at),
      },
    ];
  });
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

function skippingLocked<Q extends { forUpdate(): Q; skipLocked(): Q }>(tx: Tx, query: Q): Q {
  return tx.dialect === "postgres" ? query.forUpdate().skipLocked() : query;
}
