import type { Advance, AdvanceNeeds } from "./advance-port.ts";
import { codeOf, endUnknown, fail, move } from "./ending.ts";
import { Failure } from "./errors.ts";
import { keepOutput } from "./keep-output.ts";
import { workOf } from "./kinds.ts";
import { pollDelayMs, retryDelayMs } from "./pace.ts";
import type { RunClaim } from "./records.ts";
import type { Job, Started, TaskProvider, Work } from "./provider.ts";
import type { FailureClass, Refusal } from "./refusal.ts";
import { laneOf, type Catalog, type Installed } from "./routing.ts";
import type { Task } from "./task.ts";

type AttemptNeeds = AdvanceNeeds & Pick<Advance, "workFor">;

const mostAttempts = 8;
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
  const job = jobOf(needs.catalog, claim, installed);
  if (wasSent && provider.recovery === "none") {
    await endUnknown(needs, claim, "the service stopped while the job was being sent");
    return;
  }
  const found = wasSent ? await provider.lookup?.(job, work) : null;
  if (found) return settle(needs, claim, installed, found, work);
  if (runsHere(provider)) needs.inHand.allowStop(task.id);
  else if (!(await needs.store.intend({ ...claim, model: job.model }))) return;
  if (provider.poll === undefined) await move(needs, task.id, "IN_PROGRESS", 0);
  await settle(needs, claim, installed, await send(provider, job, work), work);
}

function jobOf(catalog: Catalog, { task, attempt }: RunClaim, { name }: Installed): Job {
  const route = catalog.find(task.kind, task.model)?.routes.find(({ provider }) => provider === name);
  const model = attempt.model === "" ? (route?.model ?? task.model) : attempt.model;
  return { ...workOf(task), taskId: task.id, attempt: attempt.n, model, idempotencyKey: `${task.id}-${attempt.n}` };
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

async function settle(needs: AttemptNeeds, claim: RunClaim, installed: Installed, outcome: Started, work: Work): Promise<void> {
  const { store, clock, events, log } = needs;
  const { task, attempt } = claim;
  switch (outcome.state) {
    case "accepted": {
      const now = clock();
      const pollAt = now + pollDelayMs(0, needs.paceOf(laneOf(installed, task.kind), task.kind), 0);
      const { upstreamId, keep = {} } = outcome;
      const changed = await store.answer({ ...claim, now, outcome: "accepted", upstreamId, keep, pollAt });
      if (changed !== null) events.publish(changed);
      return;
    }
    case "done":
      if (await keepOutput(needs, { claim, task, installed, done: outcome, signal: work.signal })) return;
      return refuse(needs, claim, { class: "transient", cause: "the result could not be stored" });
    case "refused":
      return refuse(needs, claim, outcome.refusal);
    case "unknown":
      log.warn(
        { task: task.id, provider: installed.name, attempt: attempt.n, cause: outcome.cause },
        "it is not known whether a job arrived",
      );
      if (recoveryOf(installed) === "none") await endUnknown(needs, claim, outcome.cause);
      else await store.park({ ...claim, runAt: clock() + retryDelayMs(attempt.n, undefined) });
  }
}

const retryable = new Set<FailureClass>(["rate_limit", "transient", "auth", "quota", "not_found", "timeout", "unsupported"]);

/** A definite no: another route or another time where that can help, else the end. */
async function refuse(needs: AttemptNeeds, claim: RunClaim, refusal: Refusal): Promise<void> {
  const { store, clock, catalog, log } = needs;
  const { task, attempt } = claim;
  const { class: why, cause = why } = refusal;
  if (why === "cancelled") {
    // Whoever stopped the work ends the task; only the deadline has nobody to do it.
    if (clock() >= task.deadlineAt) await fail(needs, claim, "expired", undefined, { attemptState: "REJECTED" });
    return;
  }
  log.warn({ task: task.id, provider: attempt.provider, attempt: attempt.n, class: why, cause }, "a job was refused");
  const lane = retryable.has(why) && attempt.n < mostAttempts ? nextLane(catalog, task, attempt.provider, why) : null;
  const now = clock();
  const retryAt = now + retryDelayMs(attempt.n, refusal.retryAfterMs);
  if (lane !== null && retryAt < task.deadlineAt) await store.answer({ ...claim, now, outcome: "rejected", cause, lane, retryAt });
  else await fail(needs, claim, codeOf[why], refusal.says, { attemptState: "REJECTED", cause });
}

/** The queue of the next route after the one that refused; the same one where waiting can help and there is no other. */
function nextLane(catalog: Catalog, task: Task, provider: string, why: FailureClass): string | null {
  const routes = catalog.find(task.kind, task.model)?.routes ?? [];
  const pinned = task.kind === "music" && task.input.continues !== undefined;
  const place = routes.findIndex(({ provider: name }) => name === provider);
  const others = pinned ? [] : [...routes.slice(place + 1), ...routes.slice(0, Math.max(0, place))];
  const waits = why === "rate_limit" || why === "transient";
  for (const { provider: name } of [...others, ...(waits ? [{ provider }] : [])]) {
    const installed = catalog.provider(name);
    if (installed !== null && !installed.off && installed.provider.tasks?.serves[task.kind] !== undefined)
      return laneOf(installed, task.kind);
  }
  return null;
}
