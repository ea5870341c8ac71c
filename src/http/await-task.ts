import { Failure } from "../core/errors.ts";
import { isFinal, type Task } from "../core/task.ts";
import type { Services } from "./services.ts";

/** Waits for the end of a task whose client waits for it, and throws what it failed with; one that takes too long goes on, and the client is told its name. */
export async function awaitTask(
  { tasks, closing }: Pick<Services, "tasks" | "closing">,
  task: Task,
  { mostMs, left }: { mostMs: number; left: AbortSignal },
): Promise<Task> {
  const ended = isFinal(task.status) ? task : await tasks.wait(task, mostMs, AbortSignal.any([left, closing]));
  if (ended.status === "FAILURE")
    throw new Failure(ended.failCode ?? "upstream_error", { ...(ended.failReason && { says: ended.failReason }) });
  if (isFinal(ended.status)) return ended;
  const says = `Task ${task.id} is not finished yet; it goes on, and GET /v1/tasks/${task.id} shows it.`;
  if (closing.aborted) throw new Failure("unavailable", { says: `The service is stopping. ${says}`, retryAfterMs: 5_000 });
  throw new Failure("upstream_timeout", { says });
}
