import type { AdvanceNeeds } from "./advance-port.ts";
import { codeOf, fail, move } from "./ending.ts";
import { keepOutput, noteName } from "./keep-output.ts";
import type { PollClaim } from "./records.ts";
import type { Polled } from "./provider.ts";
import { mostAttempts, wayAfterFailure } from "./next-way.ts";
import type { Refusal } from "./refusal.ts";
import { laneOf } from "./routing.ts";
import { mayMove, type Status } from "./task.ts";

const forgottenMs = 120_000;
const collectAgainMs = 10_000;
const troubleMs = 5_000;

/** Acts on what an upstream said about a job; an unchanged answer writes nothing. */
export async function readPoll(needs: AdvanceNeeds, claim: PollClaim, polled: Polled, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = needs;
  const { taskId, attempt, deadlineAt } = claim;
  const now = clock();
  switch (polled.state) {
    case "queued":
    case "running":
      await follow(needs, claim, polled.state === "queued" ? "QUEUED" : "IN_PROGRESS", polled.progress ?? claim.progress);
      if (now >= deadlineAt) await fail(needs, claim, "expired");
      else if (claim.phase === "collect") await store.park({ ...claim, runAt: now + troubleMs });
      return;
    case "done":
      return collectOutput(needs, claim, polled, signal);
    case "failed": {
      const { class: why, says, cause = why } = polled.refusal;
      log.warn({ task: taskId, provider: attempt.provider, class: why, cause }, "a job failed");
      if (!(await tryElsewhere(needs, claim, polled.refusal))) await fail(needs, claim, codeOf[why], says, { cause, failure: why });
      return;
    }
    case "missing":
      // A job that was accepted a moment ago may not be listed yet.
      if (now - (attempt.acceptedAt ?? now) > forgottenMs)
        await fail(needs, claim, "upstream_error", undefined, { cause: "the upstream does not know the job" });
      else if (claim.phase === "collect") await store.park({ ...claim, runAt: now + troubleMs });
      return;
    case "trouble":
      log.warn({ task: taskId, provider: attempt.provider, cause: polled.cause }, "a poll failed");
      if (now >= deadlineAt) await fail(needs, claim, "expired", undefined, { cause: polled.cause });
      else if (polled.retryAfterMs !== undefined || claim.phase === "collect")
        await store.park({ ...claim, runAt: now + Math.max(polled.retryAfterMs ?? 0, troubleMs) });
  }
}

/** Sends the task of a failed job to the next route, under the same id and hold; false where there is none to try. */
async function tryElsewhere(needs: AdvanceNeeds, claim: PollClaim, { class: why, cause = why }: Refusal): Promise<boolean> {
  const { store, clock } = needs;
  const task = await store.task({ id: claim.taskId, account: null });
  const now = clock();
  if (task === null || claim.attempt.n >= mostAttempts || now >= claim.deadlineAt) return false;
  const way = wayAfterFailure(needs, task, await store.attempts({ taskId: claim.taskId }), why);
  if (way === null) return false;
  const { lane, credential } = way;
  await store.answer({ ...claim, now, outcome: "rejected", failure: why, cause, lane, credential, retryAt: now });
  needs.wake();
  return true;
}

// Thousands of waiting jobs creep on by a per cent at every poll: what nobody would notice is not written.
const noticeable = 5;

async function follow(
  needs: AdvanceNeeds,
  { taskId, status: before, progress: shown }: PollClaim,
  status: Status,
  progress: number,
): Promise<void> {
  if (mayMove(before, status) || progress >= shown + noticeable) await move(needs, taskId, status, progress);
}

async function collectOutput(
  needs: AdvanceNeeds,
  claim: PollClaim,
  done: Extract<Polled, { state: "done" }>,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, inHand } = needs;
  const { taskId, attempt, kind, deadlineAt } = claim;
  const installed = needs.catalog.provider(attempt.provider);
  const fence = claim.phase === "collect" ? claim.fence : await store.beginCollect({ ...claim, leaseUntil: clock() + needs.leaseMs });
  const task = await store.task({ id: taskId, account: null });
  if (fence === null || task === null || installed === null) return;
  const held = { taskId, fence };
  inHand.lease(taskId, fence);
  const stored = await keepOutput(needs, { claim: held, task, installed, done, note: attempt.keep[noteName] ?? "", signal });
  const now = clock();
  if (stored) needs.learn(laneOf(installed, kind), kind, now - (attempt.acceptedAt ?? now));
  else if (now >= deadlineAt) await fail(needs, held, "upstream_error", "The result could not be fetched from the provider.");
  else await store.park({ ...held, runAt: now + collectAgainMs });
}
