import { errorTable, Failure, type ErrorCode } from "./errors.ts";
import type { TaskEvents } from "./events.ts";
import type { InputFile, TaskInput } from "./kinds.ts";
import { collect, discard, withKnownDuration, type CollectNeeds } from "./collect.ts";
import { pollDelayMs, retryDelayMs, type Pace } from "./pace.ts";
import type { Claim, FinishRequest, Log, PollClaim, RunClaim, Store } from "./ports.ts";
import type { FailureClass, Job, Polled, Refusal, Started, UpstreamJob, Work } from "./provider.ts";
import { laneOf, type Catalog, type Installed } from "./routing.ts";
import type { Task } from "./task.ts";
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

const mostAttempts = 8;
const forgottenMs = 120_000;

export type Advance = ReturnType<typeof createAdvance>;

/** Moves tasks on: sends jobs, reads polls, stores results, ends tasks. Every path ends in one write of the store. */
export function createAdvance(needs: AdvanceNeeds) {
  const { store, catalog, events, log, clock } = needs;

  async function end(claim: Claim, ending: Pick<FinishRequest, "status" | "costNanos"> & Partial<FinishRequest>): Promise<boolean> {
    const task = await store.finish({
      taskId: claim.taskId,
      fence: claim.fence,
      now: clock(),
      result: null,
      assets: [],
      failCode: null,
      failReason: null,
      attemptState: "ENDED",
      cause: null,
      ...ending,
    });
    if (task !== null) events.publish(task);
    return task !== null;
  }

  function fail(claim: Claim, code: ErrorCode, says?: string, more: Partial<FinishRequest> = {}): Promise<boolean> {
    return end(claim, { status: "FAILURE", costNanos: 0, failCode: code, failReason: says ?? errorTable[code].sentence, ...more });
  }

  async function move(taskId: string, status: Task["status"], progress: number): Promise<void> {
    const task = await store.progress({ taskId, status, progress, now: clock() });
    if (task !== null) events.publish(task);
  }

  function workFor(taskId: string, account: string, installed: Installed, credentialId: string, signal: AbortSignal): Work | null {
    const credential = installed.credentials.find(({ id }) => id === credentialId);
    if (credential === undefined) return null;
    return { signal, credential, report: reporter(taskId, move, clock), load: (file) => needs.loadInput(file, account, signal) };
  }

  /** Begins, or takes up again after a crash, one attempt. */
  async function run(claim: RunClaim, stop: AbortSignal): Promise<void> {
    const { task, attempt } = claim;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(Math.max(1, task.deadlineAt - clock()))]);
    const installed = catalog.provider(attempt.provider);
    const work = installed === null ? null : workFor(task.id, task.account, installed, attempt.credential, signal);
    const again = attempt.state === "INTENT";
    if (installed === null || work === null) {
      if (again) return void (await unknown(claim, "the provider or its key is not configured any more"));
      return refused(claim, { class: "auth", cause: "the provider or its key is not configured any more" });
    }
    const { provider } = installed;
    const route = catalog.find(task.kind, task.model)?.routes.find(({ provider: name }) => name === installed.name);
    const model = attempt.model !== "" ? attempt.model : (route?.model ?? task.model);
    const { kind, input } = task;
    const job: Job = { ...({ kind, input } as TaskInput), taskId: task.id, attempt: attempt.n, model, idempotencyKey: `${task.id}-${attempt.n}` };
    if (again && provider.recovery === "none") return void (await unknown(claim, "the service stopped while the job was being sent"));
    if (again && provider.lookup !== undefined) {
      const found = await provider.lookup(job, work);
      if (found !== null) return settleStart(claim, installed, found, work);
    }
    const runsHere = provider.recovery === "repeat" && provider.poll === undefined;
    if (runsHere) needs.inHand.allowStop(task.id);
    else if (!(await store.intend({ ...claim, model }))) return;
    if (provider.poll === undefined) await move(task.id, "IN_PROGRESS", 0);
    await settleStart(claim, installed, await started(installed, job, work), work);
  }

  async function started({ provider }: Installed, job: Job, work: Work): Promise<Started> {
    try {
      return await provider.start(job, work);
    } catch (error) {
      // A file that the request names is read before anything is sent.
      if (error instanceof Failure) return { state: "refused", refusal: { class: "input_unreachable", says: error.message, cause: String(error.cause ?? "") } };
      return { state: "unknown", cause: String(error) };
    }
  }

  async function settleStart(claim: RunClaim, installed: Installed, outcome: Started, work: Work): Promise<void> {
    const { task, attempt } = claim;
    switch (outcome.state) {
      case "accepted": {
        const now = clock();
        const pace = needs.paceOf(laneOf(installed, task.kind), task.kind);
        const pollAt = now + pollDelayMs(0, pace);
        const changed = await store.answer({ ...claim, now, outcome: "accepted", upstreamId: outcome.upstreamId, keep: outcome.keep ?? {}, pollAt });
        if (changed !== null) events.publish(changed);
        return;
      }
      case "done":
        if (!(await keep(claim, task, installed, outcome, work.signal))) await refused(claim, { class: "transient", cause: "the result could not be stored" });
        return;
      case "refused":
        return refused(claim, outcome.refusal);
      case "unknown":
        log.warn({ task: task.id, provider: installed.name, attempt: attempt.n, cause: outcome.cause }, "it is not known whether a job arrived");
        if (installed.provider.recovery === "none") return void (await unknown(claim, outcome.cause));
        await store.park({ ...claim, runAt: clock() + retryDelayMs(attempt.n, undefined) });
    }
  }

  function unknown(claim: Claim, cause: string): Promise<boolean> {
    return fail(claim, "unknown_outcome", undefined, { attemptState: "UNKNOWN", cause });
  }

  /** A definite no: another route or another time where that can help, else the end. */
  async function refused(claim: RunClaim, refusal: Refusal): Promise<void> {
    const { task, attempt } = claim;
    if (refusal.class === "cancelled") {
      if (clock() >= task.deadlineAt) await fail(claim, "expired", undefined, { attemptState: "REJECTED" });
      return;
    }
    log.warn({ task: task.id, provider: attempt.provider, attempt: attempt.n, class: refusal.class, cause: refusal.cause }, "a job was refused");
    const lane = retryable.has(refusal.class) && attempt.n < mostAttempts ? nextLane(catalog, task, attempt.provider, refusal.class) : null;
    const retryAt = clock() + retryDelayMs(attempt.n, refusal.retryAfterMs);
    if (lane === null || retryAt >= task.deadlineAt) {
      await fail(claim, codeOf[refusal.class], refusal.says, { attemptState: "REJECTED", cause: refusal.cause ?? refusal.class });
      return;
    }
    await store.answer({ ...claim, now: clock(), outcome: "rejected", cause: refusal.cause ?? refusal.class, lane, retryAt });
  }

  /** Stores a result and ends the task; false when the media could not be had. */
  async function keep(claim: Claim, task: Task, installed: Installed, done: Extract<Started, { state: "done" }>, signal: AbortSignal): Promise<boolean> {
    try {
      const { result, assets } = await collect(needs, done.output, { signal, allowPrivate: installed.allowPrivateNetwork });
      const ended = await end(claim, { status: "SUCCESS", costNanos: task.holdNanos, result: withKnownDuration(result, task), assets });
      if (!ended) await discard(needs.media, assets);
      return true;
    } catch (error) {
      if (error instanceof Failure && error.code === "unavailable") throw error;
      log.warn({ task: task.id, provider: installed.name, cause: String(error) }, "a result could not be stored");
      return false;
    } finally {
      await done.discard?.();
    }
  }

  /** Acts on what an upstream said about a job. */
  async function read(claim: PollClaim, polled: Polled, signal: AbortSignal): Promise<void> {
    const now = clock();
    const age = now - (claim.attempt.acceptedAt ?? now);
    switch (polled.state) {
      case "queued":
      case "running":
        await move(claim.taskId, polled.state === "queued" ? "QUEUED" : "IN_PROGRESS", polled.progress ?? claim.progress);
        if (now >= claim.deadlineAt) await fail(claim, "expired");
        return;
      case "done":
        return collectDone(claim, polled, signal);
      case "failed":
        log.warn({ task: claim.taskId, provider: claim.attempt.provider, class: polled.refusal.class, cause: polled.refusal.cause }, "a job failed");
        await fail(claim, codeOf[polled.refusal.class], polled.refusal.says, { cause: polled.refusal.cause ?? null });
        return;
      case "missing":
        if (age > forgottenMs) await fail(claim, "upstream_error", undefined, { cause: "the upstream does not know the job" });
        else if (claim.phase === "collect") await store.park({ ...claim, runAt: now + 5_000 });
        return;
      case "trouble":
        log.warn({ task: claim.taskId, provider: claim.attempt.provider, cause: polled.cause }, "a poll failed");
        if (now >= claim.deadlineAt) await fail(claim, "expired", undefined, { cause: polled.cause });
        else if (polled.retryAfterMs !== undefined || claim.phase === "collect") await store.park({ ...claim, runAt: now + Math.max(polled.retryAfterMs ?? 0, 5_000) });
    }
  }

  async function collectDone(claim: PollClaim, polled: Extract<Polled, { state: "done" }>, signal: AbortSignal): Promise<void> {
    const installed = catalog.provider(claim.attempt.provider);
    const fence = claim.phase === "collect" ? claim.fence : await store.beginCollect({ ...claim, leaseUntil: clock() + needs.leaseMs });
    const task = await store.task({ id: claim.taskId, account: null });
    if (fence === null || task === null || installed === null) return;
    const held = { taskId: claim.taskId, fence };
    needs.inHand.lease(claim.taskId, fence);
    const stored = await keep(held, task, installed, polled, signal);
    const now = clock();
    if (stored) needs.learn(laneOf(installed, claim.kind), claim.kind, now - (claim.attempt.acceptedAt ?? now));
    else if (now >= claim.deadlineAt) await fail(held, "upstream_error", "The result could not be fetched from the provider.");
    else await store.park({ ...held, runAt: now + 10_000 });
  }

  return { run, read, expire: (claim: Claim) => fail(claim, "expired"), workFor };
}

/** Progress goes to disk at most once a second, and only whole per cents. */
function reporter(taskId: string, move: (taskId: string, status: "IN_PROGRESS", progress: number) => Promise<void>, clock: () => number): (progress: number) => void {
  let at = 0;
  let told = 0;
  return (progress) => {
    const whole = Math.floor(progress);
    const now = clock();
    if (whole <= told || now - at < 500) return;
    at = now;
    told = whole;
    move(taskId, "IN_PROGRESS", whole).catch(() => undefined);
  };
}

const retryable = new Set<FailureClass>(["rate_limit", "transient", "auth", "quota", "not_found"]);

const codeOf: Record<FailureClass, ErrorCode> = {
  invalid: "upstream_error",
  auth: "upstream_error",
  quota: "upstream_error",
  rate_limit: "upstream_error",
  content_policy: "content_policy",
  input_unreachable: "input_unreachable",
  not_found: "upstream_error",
  transient: "upstream_error",
  expired: "expired",
  cancelled: "cancelled",
};

/** The queue of the next route after the one that refused; the same one where waiting can help and there is no other. */
function nextLane(catalog: Catalog, task: Task, provider: string, why: FailureClass): string | null {
  const routes = catalog.find(task.kind, task.model)?.routes ?? [];
  const pinned = task.kind === "music" && task.input.continues !== undefined;
  const place = routes.findIndex(({ provider: name }) => name === provider);
  const others = pinned ? [] : [...routes.slice(place + 1), ...routes.slice(0, Math.max(0, place))];
  const waits = why === "rate_limit" || why === "transient";
  for (const { provider: name } of [...others, ...(waits ? [{ provider }] : [])]) {
    const installed = catalog.provider(name);
    if (installed !== null && !installed.off && installed.provider.serves[task.kind] !== undefined) return laneOf(installed, task.kind);
  }
  return null;
}

/** How an adapter knows the job of a claim. */
export function upstreamJob({ attempt, kind }: PollClaim): UpstreamJob {
  return { upstreamId: attempt.upstreamId ?? "", keep: attempt.keep, kind, model: attempt.model };
}
