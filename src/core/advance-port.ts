import type { Breaker } from "./breaker.ts";
import type { CollectNeeds } from "./collect.ts";
import type { TaskEvents } from "./events.ts";
import type { InputFile } from "./kinds.ts";
import type { Pace } from "./pace.ts";
import type { Log, Store } from "./ports.ts";
import type { LoadedFile, PictureLimits, Polled, Work } from "./provider.ts";
import type { Pulse } from "./pulse.ts";
import type { Claim, PollClaim, RunClaim } from "./records.ts";
import type { Catalog, Installed } from "./routing.ts";
import type { WorkInHand } from "./work-in-hand.ts";

export type AdvanceNeeds = CollectNeeds & {
  store: Store;
  catalog: Catalog;
  breaker: Breaker;
  events: TaskEvents;
  pulse: Pick<Pulse, "add">;
  inHand: WorkInHand;
  log: Log;
  loadInput: (
    file: InputFile,
    account: string,
    signal: AbortSignal,
    limits?: PictureLimits,
  ) => Promise<LoadedFile & { /** What was changed, for the client. */ note?: string }>;
  paceOf: (lane: string, kind: string) => Pace;
  /** Remembers how long a job took, so that polls come when such jobs end. */
  learn: (lane: string, kind: string, ms: number) => void;
  /** Where a provider may tell of a job, and what it may sign that with; null where it cannot reach us. */
  callbackFor: (provider: string, taskId: string, attempt: number) => { url: string; secret: string } | null;
  /** Called when there is new work to do. */
  wake: () => void;
  leaseMs: number;
};

/** `notes` are what was changed of the request for this provider. */
export type AdvanceWork = Work & { notes: string[] };

/** Moves tasks on. Every path ends in one write of the store. */
export type Advance = {
  /** Begins, or takes up again after a crash, one attempt. */
  run(claim: RunClaim, stop: AbortSignal): Promise<void>;
  /** Acts on what an upstream said about a job. */
  read(claim: PollClaim, polled: Polled, signal: AbortSignal): Promise<void>;
  expire(claim: Claim): Promise<boolean>;
  /** What a provider works with; null when the credential is not configured any more. */
  workFor(claim: { taskId: string; account: string; credential: string }, installed: Installed, signal: AbortSignal): AdvanceWork | null;
};
