import type { Caller } from "../core/accounts.ts";
import { Failure } from "../core/errors.ts";
import type { Services } from "./services.ts";

/** Forgets a finished task with everything it made. */
export async function dropTask({ store, media }: Services, caller: Caller, id: string): Promise<void> {
  const reply = await store.deleteTask({ account: caller.account.id, id });
  if (reply.outcome === "absent") throw new Failure("task_not_found");
  if (reply.outcome === "running") throw new Failure("task_not_ready", { says: "The task is still running; cancel it first." });
  for (const key of reply.storageKeys) await media.remove(key);
}
