import { errorTable, type ErrorCode } from "./errors.ts";
import type { TaskEvents } from "./events.ts";
import type { Clock, Store } from "./ports.ts";
import type { Pulse } from "./pulse.ts";
import type { Claim, EndedTask, FinishRequest } from "./records.ts";
import type { FailureClass } from "./refusal.ts";
import type { Task } from "./task.ts";

export type EndingNeeds = { store: Store; events: TaskEvents; pulse: Pick<Pulse, "add">; clock: Clock };

/** Ends a task and tells whoever follows it; false when it had ended already or the claim is stale. */
export async function end(
  { store, events, pulse, clock }: EndingNeeds,
  { taskId, fence }: { taskId: string; fence: number | null },
  ending: Pick<FinishRequest, "status" | "costNanos"> & Partial<FinishRequest>,
): Promise<boolean> {
  const blank = { result: null, assets: [], failCode: null, failReason: null, attemptState: "ENDED" as const, cause: null, failure: null };
  const task = await store.finish({ taskId, fence, now: clock(), ...blank, ...ending });
  if (task === null) return false;
  events.publish(task);
  count(pulse, task);
  return true;
}

// Whoever wrote the end counts it, so that it is counted once.
function count(pulse: Pick<Pulse, "add">, task: EndedTask): void {
  const { account, key, kind, model, provider, createdAt, startedAt, costNanos } = task;
  const now = task.finishedAt ?? createdAt;
  pulse.add({
    account,
    key,
    operation: kind,
    model,
    provider,
    outcome: task.status === "SUCCESS" ? "ok" : (task.failCode ?? "internal"),
    ms: now - createdAt,
    waitMs: startedAt === null ? null : startedAt - createdAt,
    inputTokens: 0,
    outputTokens: 0,
    costNanos: costNanos ?? 0,
    now,
  });
}

/** Ends a task in failure, free of charge. */
export function fail(
  needs: EndingNeeds,
  claim: Claim,
  code: ErrorCode,
  says?: string,
  more: Partial<FinishRequest> = {},
): Promise<boolean> {
  return end(needs, claim, { status: "FAILURE", costNanos: 0, failCode: code, failReason: says ?? errorTable[code].sentence, ...more });
}

/** Ends a task of which nobody knows whether it runs upstream: not repeated, not charged, shown to the operator. */
export function endUnknown(needs: EndingNeeds, claim: Claim, cause: string): Promise<boolean> {
  return fail(needs, claim, "unknown_outcome", undefined, { attemptState: "UNKNOWN", cause });
}

/** Moves what clients see of a running task. */
export async function move(
  { store, events, clock }: Omit<EndingNeeds, "pulse">,
  taskId: string,
  status: Task["status"],
  progress: number,
): Promise<void> {
  const task = await store.progress({ taskId, status, progress, now: clock() });
  if (task !== null) events.publish(task);
}

/** The code a client reads for each reason an upstream may have. */
export const codeOf: Record<FailureClass, ErrorCode> = {
  invalid: "upstream_error",
  auth: "upstream_error",
  quota: "upstream_error",
  rate_limit: "upstream_error",
  content_policy: "content_policy",
  input_unreachable: "input_unreachable",
  not_found: "upstream_error",
  transient: "upstream_error",
  timeout: "upstream_timeout",
  unsupported: "not_supported",
  expired: "expired",
  cancelled: "cancelled",
};
