import { commitMs, databaseBounds, dispatcher, lockedShare, nodeBounds } from "./constants.ts";
import type { Figures } from "./figures.ts";
import type { Scenario } from "./scenario.ts";

/** Something that can be used up, and how much of it the busiest minute used; above 1 it is. */
export type Bound = { name: string; used: number; says: string };

// What src/dispatch/pace-book.ts means to ask of one upstream at most.
const requestsPerSecond = 250;

/** Every bound of the model, the fullest first. */
export function boundsOf({ peaks, lanes, mostInHand, lag }: Figures, { nodes }: Scenario): Bound[] {
  const { cores, busiest, commitsPerSecond } = databaseBounds;
  const asked = lanes.toSorted((a, b) => b.mostRequestsPerSecond - a.mostRequestsPerSecond)[0];
  const gbit = ((peaks.mib / 60 / nodes) * 2 * 8 * 1024 ** 2) / 1e9;
  const per = (value: number, digits = 0) => (value / 60).toFixed(digits);
  const bounds = [
    bound(
      "processor of the database",
      peaks.serverSeconds / 60 / (cores * busiest),
      `${per(peaks.serverSeconds, 1)} of ${cores} cores, ${busiest * 100} % of them at most`,
    ),
    bound(
      "commits of the database",
      peaks.commits / 60 / commitsPerSecond,
      `${per(peaks.commits)} of ${commitsPerSecond} commits a second`,
    ),
    rowBound("one gate's row", peaks.hotGateSeconds / 60, nodes * 3, commitMs("finish") / 2),
    rowBound("one queue's slots", peaks.hotLaneSeconds / 60, nodes, commitMs("claim") * lockedShare),
    rowBound("one account's row", peaks.hotAccountSeconds / 60, nodes * 2, commitMs("accept")),
    bound(
      "processor of a node",
      peaks.nodeCpu / nodeBounds.busiestCore,
      `${(peaks.nodeCpu * 100).toFixed(0)} % of a core, ${nodeBounds.busiestCore * 100} % at most`,
    ),
    bound("work in hand of a node", mostInHand / dispatcher.mostRuns, `${mostInHand} of ${dispatcher.mostRuns} at once`),
    bound("polls of a node", lag.p99 / 5_000, `the hundredth poll is ${lag.p99.toFixed(0)} ms late, 5 s at most`),
    bound(
      "polls of one upstream",
      (asked?.mostRequestsPerSecond ?? 0) / requestsPerSecond,
      `${asked?.mostRequestsPerSecond.toFixed(0)} of ${requestsPerSecond} requests a second (${asked?.name})`,
    ),
    bound(
      "network of a node",
      gbit / (nodeBounds.networkGbit * nodeBounds.networkBusiest),
      `${gbit.toFixed(2)} of ${nodeBounds.networkGbit} Gbit/s`,
    ),
  ];
  return bounds.toSorted((a, b) => b.used - a.used);
}

function bound(name: string, used: number, says: string): Bound {
  return { name, used, says };
}

/** Waiting for a row that is locked `busy` of the time: as at a counter, and no longer than one commit of everybody who can stand there. */
function rowBound(name: string, busy: number, writers: number, lockMs: number): Bound {
  const alone = busy < 1 ? (lockMs * busy) / (2 * (1 - busy)) : Infinity;
  const ms = Math.min(alone, writers * lockMs);
  const says = `locked ${(Math.min(1, busy) * 100).toFixed(0)} % of the time, writes wait ${ms.toFixed(0)} ms for it, ${databaseBounds.rowWaitMs} ms at most`;
  return bound(name, ms / databaseBounds.rowWaitMs, says);
}
