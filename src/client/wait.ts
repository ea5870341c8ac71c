import { GenwayError, TaskFailure } from "./genway-error.ts";
import { taskEvents, type FollowOptions } from "./task-events.ts";
import type { TaskRecord } from "./task-record.ts";
import type { Send } from "./transport.ts";

export type WaitOptions = FollowOptions & {
  /** Hears of every change, the last one too. */
  onProgress?: ((task: TaskRecord) => void) | undefined;
  /** How long to wait at most; as long as it takes unless given. The task goes on. */
  timeoutMs?: number | undefined;
};

/** Waits for a task to end well; throws TaskFailure when it fails, and GenwayError `timeout` when time is up. */
export async function waitForTask(send: Send, baseUrl: string, id: string, options: WaitOptions = {}): Promise<TaskRecord> {
  const { onProgress, timeoutMs, signal, ...follow } = options;
  const time = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
  const signals = [signal, time].filter((one) => one instanceof AbortSignal);
  let last: TaskRecord | null = null;
  try {
    for await (const task of taskEvents(send, baseUrl, id, { ...follow, signal: AbortSignal.any(signals) })) {
      onProgress?.(task);
      last = task;
    }
  } catch (error) {
    if (time?.aborted !== true || signal?.aborted === true) throw error;
    throw new GenwayError(`Task ${id} has not ended within ${timeoutMs} ms; it goes on.`, { status: 0, code: "timeout", cause: error });
  }
  if (last === null) throw new GenwayError(`Task ${id} could not be followed.`, { status: 0, code: "unreachable" });
  if (last.status === "FAILURE") throw new TaskFailure(last);
  return last;
}
