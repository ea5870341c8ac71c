import type { Advance, AdvanceNeeds, AdvanceWork } from "./advance-port.ts";
import { placeOf, type Breaker } from "./breaker.ts";
import { codeOf, endUnknown, fail, move } from "./ending.ts";
import { Failure } from "./errors.ts";
import { fitTask } from "./fit.ts";
import { keepOutput, noteName } from "./keep-output.ts";
import { pollDelayMs, retryDelayMs } from "./pace.ts";
import type { RunClaim } from "./records.ts";
import type { Job, Started, TaskProvider, Work } from "./provider.ts";
import type { Refusal } from "./refusal.ts";
import { mostAttempts, nextWay, wayAfterFailure, wayAround } from "./next-way.ts";
import { deferredCalls, laneOf, type Installed } from "./routing.ts";

type AttemptNeeds = AdvanceNeeds & Pick<Advance, "workFor">;

// A longer timer fires at once.
const longestTimerMs = 2 ** 31 - 1;
const gone = "the provider or its key is not configured any more";

/** One attempt: write the intent, send the job, write the answer. */
export async function runAttempt(needs: AttemptNeeds, claim: RunClaim, stop: AbortSignal): Promise<void> {
  const { task, attempt } = claim;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(Math.min(Math.max(1, task.deadlineAt - needs.clock()), longestTimerMs))]);
  const installed = needs.catalog.provider(attempt.provider);
  const provider = installed?.provider.tasks;
  const owner = { taskId: task.id, account: task.account, credential: attempt.credential };
  const work = installed === null ? null : needs.workFor(owner, installed, signal);
  const wasSent = attempt.state === "INTENT";
  if (installed === null || provider === undefined || work === null) {
    if (wasSent) await endUnknown(needs, claim, gone);
    else await refuse(needs, claim, { class: "auth", cause: gone });
    return;
  }
  const job = jobOf(needs, claim, installed, provider);
  if (wasSent && provider.recovery === "none") {
    await endUnknown(needs, claim, "the service stopped while the job was being sent");
    return;
  }
  const found = wasSent ? await provider.lookup?.(job, work) : null;
  if (found) return settle(needs, claim, installed, found, work);
  const place = placeOf(installed.name, task.kind, job.model, attempt.credential);
  if (!wasSent && (await passBy(needs, claim, place))) return;
  if (runsHere(provider)) needs.inHand.allowStop(task.id);
  else if (!(await needs.store.intend({ ...claim, model: job.model }))) return;
  if (provider.poll === undefined || provider.instant?.includes(task.kind)) await move(needs, task.id, "IN_PROGRESS", 0);
  needs.breaker.begin(place);
  const outcome = await send(provider, job, work);
  // Calls for which nobody waits go to places of their own, which are counted there.
  if (installed.name !== deferredCalls) count(needs.breaker, place, outcome);
  await settle(needs, claim, installed, outcome, work);
}

/** Sends a task another way when the place it came to rests; false where there is none that is better. */
async function passBy(needs: AttemptNeeds, claim: RunClaim, place: string): Promise<boolean> {
  const { store, clock, breaker } = needs;
  const { task, attempt } = claim;
  if (breaker.admits(place) !== "closed" || attempt.n >= mostAttempts) return false;
  const way = wayAround(needs, task, await store.attempts({ taskId: task.id }));
  if (way === null) return false;
  const { lane, credential } = way;
  const now = clock();
  const cause = "nothing was sent: the provider rests after repeated failures";
  await store.answer({ ...claim, now, outcome: "rejected", failure: "transient", cause, lane, credential, retryAt: now });
  needs.wake();
  return true;
}

/** Whoever takes a job is well, whatever becomes of it. */
function count(breaker: Breaker, place: string, outcome: Started): void {
  if (outcome.state === "unknown") breaker.failed(place, "timeout");
  else if (outcome.state === "refused") breaker.failed(place, outcome.refusal.class, outcome.refusal.retryAfterMs);
  else breaker.succeeded(place);
}

function jobOf(needs: AttemptNeeds, { task, attempt }: RunClaim, installed: Installed, provider: TaskProvider): Job {
  const { work, model } = fitTask(needs.catalog, task, installed, attempt.model);
  const callback = provider.hear === undefined ? null : needs.callbackFor(installed.name, task.id, attempt.n);
  return {
    ...work,
    taskId: task.id,
    attempt: attempt.n,
    model,
    idempotencyKey: `${task.id}-${attempt.n}`,
    ...(callback && { callback }),
  };
}

// What is made in this process can be begun again without harm, so that nothing need be written down before.
function runsHere({ recovery, poll }: TaskProvider): boolean {
  return recovery === "repeat" && poll === undefined;
}

async function send(provider: TaskProvider, job: Job, work: Work): Promise<Started> {
  try {
    return await provider.start(job, work);
  } catch (error) {
    // A file that the request names is read before anything is sent.
    if (!(error instanceof Failure)) return { state: "unknown", cause: String(error) };
    return { state: "refused", refusal: { class: "input_unreachable", says: error.message, cause: String(error.cause ?? "") } };
  }
}

function recoveryOf({ provider }: Installed): TaskProvider["recovery"] {
  return provider.tasks?.recovery ?? "none";
}

async function settle(needs: AttemptNeeds, claim: RunClaim, installed: Installed, outcome: Started, work: AdvanceWork): Promise<void> {
  const { store, clock, events, log } = needs;
  const { task, attempt } = claim;
  const isHere = installed.provider.tasks !== undefined && runsHere(installed.provider.tasks);
  switch (outcome.state) {
    case "accepted": {
      const now = clock();
      const pollAt = now + pollDelayMs(0, needs.paceOf(laneOf(installed, task.kind), task.kind), 0);
      const { upstreamId } = outcome;
      const keep = work.notes.length === 0 ? (outcome.keep ?? {}) : { ...outcome.keep, [noteName]: work.notes.join(" ") };
      const changed = await store.answer({ ...claim, now, outcome: "accepted", upstreamId, keep, pollAt });
      if (changed !== null) events.publish(changed);
      return;
    }
    case "done":
      if (await keepOutput(needs, { claim, task, installed, done: outcome, note: work.notes.join(" "), signal: work.signal })) return;
      // As after a crash, nobody can say what became of what was made when the service stops.
      if (!isHere && work.signal.aborted) return;
      return refuse(needs, claim, { class: "transient", cause: "the result could not be stored" }, isHere ? nextWay : wayAfterFailure);
    case "refused":
      return refuse(needs, claim, outcome.refusal);
    case "unknown":
      log.warn(
        { task: task.id, provider: installed.name, attempt: attempt.n, cause: outcome.cause },
        "it is not known whether a job arrived",
      );
      if (recoveryOf(installed) === "none" || clock() >= task.deadlineAt) await endUnknown(needs, claim, outcome.cause);
      else await store.park({ ...claim, runAt: clock() + retryDelayMs(attempt.n, undefined) });
  }
}

/** A definite no: another route or another time where that can help, else the end. */
async function refuse(needs: AttemptNeeds, claim: RunClaim, refusal: Refusal, next = nextWay): Promise<void> {
  const { store, clock, log } = needs;
  const { task, attempt } = claim;
  const { class: why, cause = why } = refusal;
  if (why === "cancelled") {
    // Whoever stopped the work ends the task; only the deadline has nobody to do it.
    if (clock() >= task.deadlineAt) await fail(needs, claim, "expired", undefined, { attemptState: "REJECTED" });
    return;
  }
  log.warn({ task: task.id, provider: attempt.provider, attempt: attempt.n, class: why, cause }, "a job was refused");
  const way = attempt.n < mostAttempts ? next(needs, task, await store.attempts({ taskId: task.id }), why) : null;
  const now = clock();
  // When to come back was said by one who need not be asked.
  const retryAt = now + retryDelayMs(attempt.n, way?.isOpen === true ? undefined : refusal.retryAfterMs);
  if (way !== null && retryAt < task.deadlineAt) {
    const { lane, credential } = way;
    await store.answer({ ...claim, now, outcome: "rejected", failure: why, cause, lane, credential, retryAt });
  } else await fail(needs, claim, codeOf[why], refusal.says, { attemptState: "REJECTED", cause, failure: why });
}
