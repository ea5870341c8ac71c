import type { AdvanceNeeds } from "./advance-port.ts";
import { collect, discard, withKnownDuration } from "./collect.ts";
import { end } from "./ending.ts";
import { Failure } from "./errors.ts";
import type { Claim } from "./records.ts";
import type { Started } from "./provider.ts";
import type { Installed } from "./routing.ts";
import type { Task } from "./task.ts";

type Made = { claim: Claim; task: Task; installed: Installed; done: Extract<Started, { state: "done" }>; signal: AbortSignal };

/** Stores what was made and ends the task; false when the media could not be had. */
export async function keepOutput(needs: AdvanceNeeds, { claim, task, installed, done, signal }: Made): Promise<boolean> {
  try {
    const { result, assets } = await collect(needs, done.output, { signal, allowPrivate: installed.allowPrivateNetwork });
    const ended = await end(needs, claim, {
      status: "SUCCESS",
      costNanos: task.holdNanos,
      result: withKnownDuration(result, task),
      assets,
    });
    if (!ended) await discard(needs.media, assets);
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === "unavailable") throw error;
    needs.log.warn({ task: task.id, provider: installed.name, cause: String(error) }, "a result could not be stored");
    return false;
  } finally {
    await done.discard?.();
  }
}
