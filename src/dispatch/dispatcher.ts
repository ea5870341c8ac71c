import { upstreamJob, type Advance } from "../core/advance.ts";
import type { TaskKind } from "../core/kinds.ts";
import type { ChoreClaim, Clock, Log, PollClaim, Store } from "../core/ports.ts";
import { laneOf, type Catalog, type Installed } from "../core/routing.ts";
import type { WorkInHand } from "../core/work-in-hand.ts";
import { createMinuteMeter } from "./minute-meter.ts";
import type { PaceBook } from "./pace-book.ts";

export type DispatcherNeeds = {
  store: Store;
  catalog: Catalog;
  advance: Advance;
  inHand: WorkInHand;
  paces: PaceBook;
  clock: Clock;
  log: Log;
  leaseMs: number;
  /** What is done for each kind of chore; it must finish its chore in the store. */
  chores: Record<string, (claim: ChoreClaim) => Promise<void>>;
  observeLag?: (ms: number) => void;
};

export type Dispatcher = {
  start(): void;
  /** There is new work: look now. */
  wake(): void;
  /** Takes no more work and ends what runs: what cannot end in time is handed over. */
  stop(graceMs: number): Promise<void>;
  /** When it last looked for work. */
  lastTickAt(): number;
};

const tickMs = 100;
const restMs = 15;
const mostPolls = 300;
const mostChores = 50;

/** Hands out due work, for ever: one loop, no timer per task. */
export function createDispatcher(needs: DispatcherNeeds): Dispatcher {
  const { store, catalog, advance, inHand, paces, clock, log, leaseMs } = needs;
  const meter = createMinuteMeter(clock);
  const polling = new Set<string>();
  const choring = new Set<string>();
  let stopped = false;
  let ticking: Promise<void> | null = null;
  let again = false;
  let soon = false;
  let timer: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let lastTick = 0;

  function lanes() {
    return catalog.providers().flatMap((installed) => (installed.off ? [] : lanesOf(installed)));
  }

  function lanesOf(installed: Installed) {
    const kinds = Object.keys(installed.provider.serves) as TaskKind[];
    const { concurrent, perMinute } = installed.limits;
    return [...new Set(kinds.map((kind) => laneOf(installed, kind)))].map((lane) => ({
      lane,
      provider: installed.name,
      credentials: installed.credentials.map(({ id }) => ({ id, limit: concurrent, most: meter.left(`${lane} ${id}`, perMinute) })),
    }));
  }

  async function tick(): Promise<void> {
    const now = clock();
    lastTick = now;
    const polls = Math.max(0, mostPolls - polling.size);
    const claimed = await store.claim({ now, leaseMs, lanes: lanes(), paces: paces.all(), polls, chores: Math.max(0, mostChores - choring.size) });
    for (const claim of claimed.runs) {
      meter.count(`${laneFor(claim.attempt.provider, claim.task.kind)} ${claim.attempt.credential}`);
      background(() => inHand.run(claim.taskId, (signal) => leased(claim, () => advance.run(claim, signal))));
    }
    for (const claim of claimed.polls) needs.observeLag?.(claim.lagMs);
    for (const group of Map.groupBy(claimed.polls, ({ attempt }) => `${attempt.provider} ${attempt.credential}`).values()) background(() => pollGroup(group));
    for (const chore of claimed.chores) background(() => doChore(chore));
    for (const claim of claimed.expired) background(() => advance.expire(claim));
    if (claimed.runs.length + claimed.polls.length >= 50) again = true;
  }

  function laneFor(provider: string, kind: TaskKind): string {
    const installed = catalog.provider(provider);
    return installed === null ? provider : laneOf(installed, kind);
  }

  async function leased(claim: { taskId: string; fence: number }, act: () => Promise<void>): Promise<void> {
    inHand.lease(claim.taskId, claim.fence);
    await act();
    wake();
  }

  function background(act: () => Promise<unknown>): void {
    act().catch((error: unknown) => log.error({ err: error }, "a piece of work went wrong"));
  }

  async function pollGroup(group: PollClaim[]): Promise<void> {
    const claims = group.filter(({ taskId }) => !polling.has(taskId) && !inHand.has(taskId));
    const [first] = claims;
    const installed = first === undefined ? null : catalog.provider(first.attempt.provider);
    if (first === undefined || installed === null) return expireOverdue(claims);
    for (const { taskId } of claims) polling.add(taskId);
    const { pollMany } = installed.provider;
    try {
      if (pollMany !== undefined && claims.length > 1) {
        for (let at = 0; at < claims.length; at += pollMany.max) await askMany(installed, claims.slice(at, at + pollMany.max));
      } else {
        await Promise.all(claims.map((claim) => askOne(installed, claim)));
      }
    } finally {
      for (const { taskId } of claims) polling.delete(taskId);
    }
  }

  // The provider may have left the configuration: its jobs can only run out of time.
  async function expireOverdue(claims: PollClaim[]): Promise<void> {
    for (const claim of claims) if (clock() >= claim.deadlineAt) await advance.expire(claim);
  }

  async function askMany(installed: Installed, claims: PollClaim[]): Promise<void> {
    const [first] = claims;
    const { pollMany } = installed.provider;
    if (first === undefined || pollMany === undefined) return;
    const work = advance.workFor(first.taskId, "", installed, first.attempt.credential, AbortSignal.timeout(60_000));
    if (work === null) return expireOverdue(claims);
    const answers = await pollMany.run(claims.map(upstreamJob), work);
    for (const claim of claims) {
      const polled = answers.get(claim.attempt.upstreamId ?? "") ?? { state: "missing" as const };
      await inHand.run(claim.taskId, (signal) => advance.read(claim, polled, signal));
    }
  }

  async function askOne(installed: Installed, claim: PollClaim): Promise<void> {
    const { provider } = installed;
    const work = advance.workFor(claim.taskId, "", installed, claim.attempt.credential, AbortSignal.timeout(60_000));
    if (work === null) return expireOverdue([claim]);
    const job = upstreamJob(claim);
    const polled = provider.poll === undefined ? { state: "missing" as const } : await provider.poll(job, work);
    await inHand.run(claim.taskId, (signal) => advance.read(claim, polled, signal));
  }

  async function doChore(claim: ChoreClaim): Promise<void> {
    if (choring.has(claim.id)) return;
    choring.add(claim.id);
    try {
      await needs.chores[claim.chore]?.(claim);
    } finally {
      choring.delete(claim.id);
    }
  }

  function loop(): void {
    if (stopped || ticking !== null) return;
    soon = false;
    clearTimeout(timer);
    again = false;
    ticking = tick()
      .catch((error: unknown) => log.error({ err: error }, "looking for work went wrong"))
      .finally(() => {
        ticking = null;
        if (!stopped) timer = setTimeout(loop, again ? restMs : tickMs);
      });
  }

  // Under load many wake us at once: one look serves them all.
  function wake(): void {
    again = true;
    if (ticking !== null || stopped || soon) return;
    soon = true;
    clearTimeout(timer);
    timer = setTimeout(loop, Math.max(0, lastTick + restMs - clock()));
  }

  function renewLeases(): void {
    for (const { taskId, fence } of inHand.leases()) {
      background(async () => {
        if (!(await store.renew({ taskId, fence, leaseUntil: clock() + leaseMs }))) inHand.stop(taskId, "the lease was lost");
      });
    }
  }

  return {
    start() {
      renewal = setInterval(renewLeases, leaseMs / 3);
      loop();
    },
    wake,
    async stop(graceMs) {
      stopped = true;
      clearTimeout(timer);
      await ticking;
      const until = Date.now() + graceMs;
      while (inHand.size() + choring.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
      await inHand.settleAll();
      clearInterval(renewal);
    },
    lastTickAt: () => lastTick,
  };
}
