import type { AdvanceNeeds } from "./advance-port.ts";
import { collect, discard, withKnownFacts } from "./collect.ts";
import { end } from "./ending.ts";
import { Failure } from "./errors.ts";
import { fitTask } from "./fit.ts";
import { costOfTask } from "./pricing.ts";
import type { Claim } from "./records.ts";
import type { Started } from "./provider.ts";
import type { Installed } from "./routing.ts";
import type { Task } from "./task.ts";

/** The name under which what was changed of a request is kept with its attempt. */
export const noteName = "genway-note";

type Made = {
  claim: Claim;
  task: Task;
  installed: Installed;
  done: Extract<Started, { state: "done" }>;
  /** What was changed of the request; empty where nothing was. */
  note: string;
  signal: AbortSignal;
};

/** Stores what was made and ends the task; false when the media could not be had. */
export async function keepOutput(needs: AdvanceNeeds, { claim, task, installed, done, note, signal }: Made): Promise<boolean> {
  try {
    const { result, assets } = await collect(needs, done.output, {
      signal,
      allowPrivate: installed.allowPrivateNetwork,
      grid: task.kind === "image" && task.input.grid,
    });
    const ended = await end(needs, claim, {
      status: "SUCCESS",
      costNanos: costOfTask(task, done.output, fitTask(needs.catalog, task, installed).work),
      result: note === "" ? withKnownFacts(result, task) : { ...withKnownFacts(result, task), note },
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
