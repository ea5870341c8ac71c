import type { TaskKind } from "../core/kinds.ts";
import { pollDelayMs, type Pace } from "../core/pace.ts";
import type { ClaimRequest, PollClaim } from "../core/records.ts";
import type { Status } from "../core/task.ts";
import type { Gate } from "./gates.ts";
import { byKey, skippingLocked, type Tx } from "./query.ts";
import { attemptOf } from "./rows.ts";
import type { Database } from "./schema.ts";

export type StepRow = Database["step"];

// Of a provider that has left the configuration.
const unknownPace: Pace = { everyMs: 5_000, perSecond: 100, expectedMs: null, atOnce: 1 };
const aheadMs = 2_000;

/** Claiming a poll is moving its row to the next poll time: a crash just means the next poll. */
export async function claimPolls(tx: Tx, due: readonly StepRow[], request: ClaimRequest, gates: readonly Gate[]): Promise<PollClaim[]> {
  const steps = [...due, ...(await soonDue(tx, due, request))];
  if (steps.length === 0) return [];
  await moveOn(tx, steps, request, gates);
  const ids = steps.map(({ id }) => id);
  const tasks = byKey(
    await tx.db.selectFrom("task").select(["id", "kind", "status", "progress"]).where("id", "in", ids).execute(),
    ({ id }) => id,
  );
  const attempts = byKey(
    await tx.db.selectFrom("attempt").selectAll().where("task", "in", ids).where("state", "=", "ACCEPTED").execute(),
    ({ task }) => task,
  );
  return steps.flatMap((step) => {
    const task = tasks.get(step.id);
    const attempt = attempts.get(step.id);
    if (task === undefined || attempt === undefined) return [];
    const isCollect = step.phase === "collect";
    return [
      {
        taskId: step.id,
        fence: isCollect ? step.fence + 1 : step.fence,
        attempt: attemptOf(attempt),
        kind: task.kind as TaskKind,
        status: task.status as Status,
        progress: task.progress,
        deadlineAt: step.deadline_at,
        phase: isCollect ? ("collect" as const) : ("poll" as const),
        lagMs: Math.max(0, request.now - step.run_at),
      },
    ];
  });
}

function paceOf({ paces }: ClaimRequest, { lane, work }: StepRow): Pace {
  return paces[`${lane} ${work}`] ?? unknownPace;
}

/**
 * Where an upstream is asked about many jobs at once, those that are due in a moment come along: else each of many nodes would ask
 * about the one or two that happened to be due when it looked.
 */
async function soonDue(tx: Tx, due: readonly StepRow[], request: ClaimRequest): Promise<StepRow[]> {
  const soon: StepRow[] = [];
  for (const [lane, [first, ...others]] of Map.groupBy(
    due.filter(({ phase }) => phase === "poll"),
    (step) => step.lane,
  )) {
    const pace = first === undefined ? unknownPace : paceOf(request, first);
    const room = pace.atOnce - 1 - others.length;
    if (room <= 0) continue;
    const query = tx.db
      .selectFrom("step")
      .selectAll()
      .where("phase", "=", "poll")
      .where("lane", "=", lane)
      .where("run_at", ">", request.now)
      .where("run_at", "<=", request.now + Math.min(aheadMs, pace.everyMs / 2))
      .orderBy("run_at")
      .limit(room);
    soon.push(...(await skippingLocked(tx, query).execute()));
  }
  return soon;
}

async function moveOn({ db }: Tx, steps: readonly StepRow[], request: ClaimRequest, gates: readonly Gate[]): Promise<void> {
  const crowds = new Map<string, number>();
  for (const { lane, used } of gates) crowds.set(lane, (crowds.get(lane) ?? 0) + used);
  const byDelay = new Map<number, string[]>();
  for (const step of steps) {
    if (step.phase !== "poll") continue;
    const delay = pollDelayMs(request.now - step.since, paceOf(request, step), crowds.get(step.lane) ?? 0);
    byDelay.set(delay, [...(byDelay.get(delay) ?? []), step.id]);
  }
  for (const [delay, members] of byDelay) {
    await db
      .updateTable("step")
      .set({ run_at: request.now + delay })
      .where("id", "in", members)
      .execute();
  }
}
