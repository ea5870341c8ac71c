import type { Advance, AdvanceNeeds } from "./advance-port.ts";
import { runAttempt } from "./attempt.ts";
import { fail, move } from "./ending.ts";
import type { TaskEvents } from "./events.ts";
import { readPoll } from "./follow.ts";
import type { Clock, Log, Store } from "./ports.ts";
import type { UpstreamJob, Work } from "./provider.ts";
import type { PollClaim } from "./records.ts";

/** Moves tasks on: sends jobs, reads polls, stores results, ends tasks. */
export function createAdvance(needs: AdvanceNeeds): Advance {
  const workFor: Advance["workFor"] = ({ taskId, account, credential: id }, installed, signal) => {
    const credential = installed.credentials.find((known) => known.id === id);
    if (credential === undefined) return null;
    const notes: string[] = [];
    const load: Work["load"] = async (file, limits) => {
      const { note, ...loaded } = await needs.loadInput(file, account, signal, limits);
      if (note !== undefined && !notes.includes(note)) notes.push(note);
      return loaded;
    };
    return { signal, credential, report: reporter(needs, taskId), load, notes };
  };
  return {
    workFor,
    run: (claim, stop) => runAttempt({ ...needs, workFor }, claim, stop),
    read: (claim, polled, signal) => readPoll(needs, claim, polled, signal),
    expire: (claim) => fail(needs, claim, "expired"),
  };
}

const reportEveryMs = 500;

/** Progress goes to disk at most twice a second, and only whole per cents. */
function reporter(needs: { store: Store; events: TaskEvents; clock: Clock; log: Log }, taskId: string): Work["report"] {
  let at = 0;
  let told = 0;
  return (progress) => {
    const whole = Math.floor(progress);
    const now = needs.clock();
    if (whole <= told || now - at < reportEveryMs) return;
    at = now;
    told = whole;
    move(needs, taskId, "IN_PROGRESS", whole).catch((error: unknown) =>
      needs.log.warn({ task: taskId, err: error }, "progress was not written"),
    );
  };
}

/** How an adapter knows the job of a claim. */
export function upstreamJob({ attempt, kind }: PollClaim): UpstreamJob {
  return { upstreamId: attempt.upstreamId ?? "", keep: attempt.keep, kind, model: attempt.model };
}
