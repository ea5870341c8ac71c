import { setTimeout as sleep } from "node:timers/promises";
import { end, type EndingNeeds } from "./ending.ts";
import { Failure } from "./errors.ts";
import type { Attempt } from "./records.ts";
import type { Catalog } from "./routing.ts";
import { isFinal, type Task } from "./task.ts";
import type { WorkInHand } from "./work-in-hand.ts";

export type CancelNeeds = EndingNeeds & { catalog: Catalog; inHand: WorkInHand; wake: () => void };

const freeReason = "The task was cancelled.";
const chargedReason = "The task was cancelled; the provider had started it and did not confirm, so it was charged.";
const ourReasons: readonly (string | null)[] = [freeReason, chargedReason];

/** Ends a task for its owner: free of charge if nothing runs upstream or the upstream confirms, else at its full price. */
export async function cancelTask(needs: CancelNeeds, account: string | null, id: string): Promise<{ task: Task; charged: boolean }> {
  const { store, inHand } = needs;
  // Whose task it is comes first: what somebody else's request may not see, it may not stop.
  await runningTask(needs, account, id);
  let asked = false;
  for (let tries = 0; tries < 5; tries++) {
    await settled(needs, id);
    const ended = asked ? await store.task({ id, account }) : null;
    // A poll may see that the upstream stopped the job before the upstream tells us so; another cancel is told from that.
    if (ended?.failCode === "cancelled" && !ourReasons.includes(ended.failReason)) return { task: ended, charged: ended.costNanos !== 0 };
    const task = await runningTask(needs, account, id);
    const attempt = (await store.attempts({ taskId: id })).at(-1);
    const sent = attempt !== undefined && (attempt.state === "INTENT" || attempt.state === "ACCEPTED");
    const charged = sent && !(await stopsUpstream(needs, task, attempt));
    asked ||= sent;
    const failReason = charged ? chargedReason : freeReason;
    const ending = {
      status: "FAILURE",
      costNanos: charged ? task.holdNanos : 0,
      failCode: "cancelled",
      failReason,
      cause: "cancelled",
    } as const;
    if (!(await end(needs, { taskId: id, fence: null }, { ...ending, ...(sent ? { onlySent: attempt.n } : { onlyUnsent: true }) })))
      continue;
    inHand.stop(id, "cancelled");
    needs.wake();
    return { task: (await store.task({ id, account })) ?? task, charged };
  }
  throw new Failure("unavailable", { says: "The task could not be cancelled now; try again." });
}

// What is being sent or stored may take minutes: whoever cancels is answered before, by what is known then.
const patienceMs = 5_000;
const lookMs = 200;

async function settled({ store, inHand }: CancelNeeds, id: string): Promise<void> {
  const until = performance.now() + patienceMs;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, patienceMs);
  await Promise.race([inHand.settle(id), late.promise]);
  clearTimeout(timer);
  // Another node may be sending it.
  while (performance.now() < until && (await store.attempts({ taskId: id })).at(-1)?.state === "INTENT") await sleep(lookMs);
}

async function runningTask({ store }: CancelNeeds, account: string | null, id: string): Promise<Task> {
  const task = await store.task({ id, account });
  if (task === null) throw new Failure("task_not_found");
  if (isFinal(task.status)) throw new Failure("task_finished");
  return task;
}

async function stopsUpstream({ catalog }: CancelNeeds, task: Task, attempt: Attempt): Promise<boolean> {
  const installed = catalog.provider(attempt.provider);
  const credential = installed?.credentials.find(({ id }) => id === attempt.credential);
  const cancel = installed?.provider.tasks?.cancel;
  if (attempt.upstreamId === null || credential === undefined || cancel === undefined) return false;
  const job = { upstreamId: attempt.upstreamId, keep: attempt.keep, kind: task.kind, model: attempt.model };
  const work = {
    signal: AbortSignal.timeout(15_000),
    credential,
    report: () => undefined,
    load: () => Promise.reject(new Error("nothing to load")),
  };
  return cancel(job, work).catch(() => false);
}
