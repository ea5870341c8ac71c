import { createPaceBook, type PaceBook } from "../../src/dispatch/pace-book.ts";
import type { Pace } from "../../src/core/pace.ts";
import { laneOf, type Catalog, type Installed } from "../../src/core/routing.ts";
import { createDueBook } from "./due-book.ts";
import { createHistogram } from "./histogram.ts";
import { createRankQueue } from "./rank-queue.ts";
import { offers, upstreams, type Upstream } from "./upstreams.ts";

/** The queue of one provider, with its slots and what is counted of it. */
export type Lane = ReturnType<typeof createLane>;

/** The lanes of a catalog, of which a share is simulated. */
export function createLanes(catalog: Catalog, share: number): { lanes: Lane[]; paces: PaceBook } {
  const paces = createPaceBook(catalog);
  const lanes = catalog.providers().map((installed, index) => createLane(index, installed, share, paces));
  return { lanes, paces };
}

function createLane(index: number, installed: Installed, share: number, paces: PaceBook) {
  const upstream: Upstream | undefined = upstreams[installed.name];
  const tasks = installed.provider.tasks;
  const kind = offers.find(({ routes }) => routes.some(([provider]) => provider === installed.name))?.work.kind;
  if (upstream === undefined || tasks === undefined || kind === undefined) throw new Error(`'${installed.name}' has nothing to do`);
  const name = laneOf(installed, kind);
  const slots = installed.limits.concurrent * installed.credentials.length;
  return {
    index,
    name,
    kind,
    upstream,
    keys: installed.credentials.length,
    recovery: tasks.recovery,
    isInstant: tasks.poll === undefined || tasks.instant?.includes(kind) === true,
    hears: tasks.hear !== undefined && upstream.callsBack,
    pollMany: tasks.pollMany?.max ?? 1,
    /** Slots of the part that is simulated. */
    limit: Math.max(1, Math.round(slots * share)),
    slots,
    used: 0,
    mostUsed: 0,
    /** The virtual time of the lane: the rank of what was served last. */
    rank: 0,
    queue: createRankQueue(),
    isServing: false,
    due: createDueBook(),
    pace: paces.paceOf(name, kind) satisfies Pace,
    /** Per key, the look whose polls share the request under way, and how many they are. */
    askedBy: new Float64Array(installed.credentials.length).fill(-1),
    askedFor: new Int32Array(installed.credentials.length),
    requests: 0,
    requestsThisMinute: 0,
    mostRequestsAMinute: 0,
    jobsPolled: 0,
    waits: createHistogram(),
    found: createHistogram(),
    succeeded: 0,
    failed: 0,
    expired: 0,
    refreshPace(): void {
      this.pace = paces.paceOf(name, kind);
    },
  };
}
