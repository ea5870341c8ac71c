import type { Advance } from "../core/advance-port.ts";
import type { Clock, Log, Store } from "../core/ports.ts";
import type { ChoreClaim, ClaimRequest, RunClaim } from "../core/records.ts";
import { laneOf, lanesOf, slotsOf, type Catalog } from "../core/routing.ts";
import type { WorkInHand } from "../core/work-in-hand.ts";
import { createLoop } from "./loop.ts";
import type { PaceBook } from "./pace-book.ts";
import { createPoller } from "./poller.ts";

export type DispatcherNeeds = {
  store: Store;
  catalog: Catalog;
  advance: Advance;
  inHand: WorkInHand;
  paces: PaceBook;
  clock: Clock;
  log: Log;
  leaseMs: number;
  /** The longest time between two looks for work. */
  longestRestMs: number;
  /** How many processes run tasks. */
  workers: () => number;
  /** What is done for each kind of chore; it must finish its chore in the store. */
  chores: Record<string, (claim: ChoreClaim) => Promise<void>>;
  observeLag?: (ms: number) => void;
  observeLook?: (look: ObservedLook) => void;
  observeChore?: (chore: string, ms: number, isDone: boolean) => void;
};

/** A look for work: how long it took, and what this process then has in hand. */
export type ObservedLook = { ms: number; tasks: number; polls: number; chores: number };

export type Dispatcher = {
  start(): void;
  /** There is new work: look soon. */
  wake(): void;
  /** Takes no more work and ends what runs: what cannot end in time is handed over. */
  stop(graceMs: number): Promise<void>;
  /** When it last looked for work, and could. */
  lastTickAt(): number;
};

const mostRuns = 128;
const mostPolls = 200;
const mostChores = 50;
const manyClaims = 50;

/** Hands out due work, for ever: one loop, no timer per task. */
export function createDispatcher(needs: DispatcherNeeds): Dispatcher {
  const { store, advance, inHand, clock, log, leaseMs } = needs;
  const running = new Map<string, number>();
  const poller = createPoller(needs);
  const choring = new Map<string, ChoreClaim>();
  let renewal: NodeJS.Timeout | undefined;

  const background = (act: () => Promise<unknown>): void => {
    act().catch((error: unknown) => log.error({ err: error }, "a piece of work went wrong"));
  };

  /** Looks for due work once. */
  async function look(): Promise<"much" | "some" | "nothing"> {
    const free = { polls: Math.max(0, mostPolls - poller.size()), chores: Math.max(0, mostChores - choring.size) };
    const began = performance.now();
    const claimed = await store.claim({
      now: clock(),
      leaseMs,
      lanes: lanesNow(needs, running, Math.max(0, mostRuns - inHand.size())),
      paces: needs.paces.all(),
      ...free,
    });
    for (const claim of claimed.runs) background(() => begin(claim));
    for (const { lagMs } of claimed.polls) needs.observeLag?.(lagMs);
    const groups = Map.groupBy(claimed.polls, ({ attempt }) => `${attempt.provider} ${attempt.credential}`);
    for (const group of groups.values()) background(() => poller.ask(group));
    for (const chore of claimed.chores) background(() => doChore(chore));
    for (const claim of claimed.expired) background(() => advance.expire(claim));
    needs.observeLook?.({ ms: performance.now() - began, tasks: inHand.size(), polls: poller.size(), chores: choring.size });
    const found = claimed.runs.length + claimed.polls.length;
    return found >= manyClaims ? "much" : found > 0 ? "some" : "nothing";
  }

  async function begin(claim: RunClaim): Promise<void> {
    const lane = laneOfRun(needs.catalog, claim);
    const change = (by: number) => running.set(lane, (running.get(lane) ?? 0) + by);
    change(1);
    try {
      await inHand.run(claim.taskId, async (signal) => {
        inHand.lease(claim.taskId, claim.fence);
        await advance.run(claim, signal);
      });
    } finally {
      change(-1);
    }
    loop.wake();
  }

  async function doChore(claim: ChoreClaim): Promise<void> {
    if (choring.has(claim.id)) return;
    choring.set(claim.id, claim);
    const began = performance.now();
    let isDone = false;
    try {
      await needs.chores[claim.chore]?.(claim);
      isDone = true;
    } finally {
      choring.delete(claim.id);
      needs.observeChore?.(claim.chore, performance.now() - began, isDone);
    }
  }

  async function renew(claim: { taskId: string; fence: number }): Promise<void> {
    if (!(await store.renew({ ...claim, leaseUntil: clock() + leaseMs }))) inHand.stop(claim.taskId, "the lease was lost");
  }

  const failed = (error: unknown) => log.error({ err: error }, "looking for work went wrong");
  const loop = createLoop({ look, clock, failed, longestRestMs: needs.longestRestMs });
  return {
    start() {
      renewal = setInterval(() => {
        for (const claim of inHand.leases()) background(() => renew(claim));
        // One that is taken from us meanwhile is done twice, which does no harm.
        for (const { id, fence } of choring.values()) background(() => store.renew({ taskId: id, fence, leaseUntil: clock() + leaseMs }));
      }, leaseMs / 3);
      loop.start();
    },
    wake: loop.wake,
    async stop(graceMs) {
      await loop.stop();
      const until = Date.now() + graceMs;
      while (inHand.size() + choring.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
      await inHand.settleAll();
      clearInterval(renewal);
    },
    lastTickAt: loop.lastLookAt,
  };
}

/** The queues that may be served now, each with the slots of its credentials. */
function lanesNow({ catalog, workers }: DispatcherNeeds, running: ReadonlyMap<string, number>, free: number): ClaimRequest["lanes"] {
  return catalog.providers().flatMap((installed) => {
    if (installed.off) return [];
    const { concurrent, perMinute } = installed.limits;
    return lanesOf(installed).map((lane) => {
      const limit = slotsOf(installed, workers());
      const most = installed.perNode ? Math.min(free, Math.max(0, concurrent - (running.get(lane) ?? 0))) : free;
      return { lane, provider: installed.name, credentials: installed.credentials.map(({ id }) => ({ id, limit, perMinute, most })) };
    });
  });
}

function laneOfRun(catalog: Catalog, { task, attempt }: RunClaim): string {
  const installed = catalog.provider(attempt.provider);
  return installed === null ? attempt.provider : laneOf(installed, task.kind);
}
