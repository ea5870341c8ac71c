import { runAttempt } from "./attempt.ts";
import type { CollectNeeds } from "./collect.ts";
import { fail, move } from "./ending.ts";
import type { TaskEvents } from "./events.ts";
import { readPoll } from "./follow.ts";
import type { InputFile } from "./kinds.ts";
import type { Pace } from "./pace.ts";
import type { Claim, Clock, Log, PollClaim, RunClaim, Store } from "./ports.ts";
import type { Polled, UpstreamJob, Work } from "./provider.ts";
import type { Catalog, Installed } from "./routing.ts";
import type { WorkInHand } from "./work-in-hand.ts";

export type AdvanceNeeds = CollectNeeds & {
  store: Store;
  catalog: Catalog;
  events: TaskEvents;
  inHand: WorkInHand;
  log: Log;
  loadInput: (file: InputFile, account: string, signal: AbortSignal) => Promise<{ bytes: Uint8Array; mime: string }>;
  paceOf: (lane: string, kind: string) => Pace;
  /** Remembers how long a job took, so that polls come when such jobs end. */
  learn: (lane: string, kind: string, ms: number) => void;
  leaseMs: number;
};

/** Moves tasks on. Every path ends in one write of the store. */
export type Advance = {
  /** Begins, or takes up again after a crash, one attempt. */
  run(claim: RunClaim, stop: AbortSignal): Promise<void>;
  /** Acts on what an upstream said about a job. */
  read(claim: PollClaim, polled: Polled, signal: AbortSignal): Promise<void>;
  expire(claim: Claim): Promise<boolean>;
  /** What a provider works with; null when the credential is not configured any more. */
  workFor(claim: { taskId: string; account: string; credential: string }, installed: Installed, signal: AbortSignal): Work | null;
};

export function createAdvance(needs: AdvanceNeeds): Advance {
  const workFor: Advance["workFor"] = ({ taskId, account, credential: id }, installed, signal) => {
    const credential = installed.credentials.find((known) => known.id === id);
    if (credential === undefined) return null;
    return { signal, credential, report: reporter(needs, taskId), load: (file) => needs.loadInput(file, account, signal) };
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
