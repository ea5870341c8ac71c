import type { Histogram } from "./histogram.ts";
import type { Lane } from "./lanes.ts";
import type { MinuteLoad } from "./store-load.ts";
import type { World } from "./world.ts";

/** The busiest minute of each thing, for the whole fleet; the processor is that of the busiest node, in cores. */
export type Peaks = MinuteLoad & { nodeCpu: number; mib: number; pollRequests: number; submits: number; underWay: number };

export type Quantiles = { p50: number; p95: number; p99: number; most: number };

export type LaneFigures = {
  name: string;
  ended: number;
  /** Of them, at their deadline. */
  expired: number;
  slots: number;
  /** The most slots that were in use, of all. */
  busiest: number;
  waits: Quantiles;
  /** From the end of a job to our knowing of it. */
  found: Quantiles;
  pollsPerTask: number;
  jobsPerRequest: number;
  mostRequestsPerSecond: number;
};

/** What a simulation found; counts and rates are of the whole fleet. */
export type Figures = {
  counts: World["counts"];
  underWay: number;
  seconds: number;
  simulatedNodes: number;
  lanes: LaneFigures[];
  waits: Quantiles;
  othersWaits: Quantiles;
  againWaits: Quantiles;
  found: Quantiles;
  lag: Quantiles;
  recoveries: Quantiles;
  sums: MinuteLoad;
  peaks: Peaks;
  /** In cores. */
  meanNodeCpu: number;
  mostInHand: number;
};

/** Reads the figures off a world at its end. */
export function figuresOf(world: World, sums: MinuteLoad, peaks: Peaks, cpuSeconds: number): Figures {
  const { counts, share, tasks, nodes, wheel } = world;
  const seconds = wheel.now() / 1_000;
  const scaled = { ...counts };
  for (const name of Object.keys(scaled) as (keyof typeof scaled)[]) scaled[name] = Math.round(scaled[name] / share);
  return {
    counts: { ...scaled, events: counts.events },
    underWay: Math.round(tasks.underWay() / share),
    seconds,
    simulatedNodes: nodes.count,
    lanes: world.lanes.map((lane) => laneFigures(lane, share)),
    waits: quantilesOf(world.waits),
    othersWaits: quantilesOf(world.othersWaits),
    againWaits: quantilesOf(world.againWaits),
    found: quantilesOf(world.found),
    lag: quantilesOf(world.lag),
    recoveries: quantilesOf(world.recoveries),
    sums,
    peaks,
    meanNodeCpu: cpuSeconds / seconds / nodes.count,
    mostInHand: Math.max(...nodes.mostInHand),
  };
}

function laneFigures(lane: Lane, share: number): LaneFigures {
  const ended = lane.succeeded + lane.failed;
  return {
    name: lane.name,
    ended: Math.round(ended / share),
    expired: Math.round(lane.expired / share),
    slots: lane.slots,
    busiest: lane.mostUsed / lane.limit,
    waits: quantilesOf(lane.waits),
    found: quantilesOf(lane.found),
    pollsPerTask: lane.jobsPolled / Math.max(1, ended),
    jobsPerRequest: lane.jobsPolled / Math.max(1, lane.requests),
    mostRequestsPerSecond: lane.mostRequestsAMinute / 60 / share,
  };
}

function quantilesOf(times: Histogram): Quantiles {
  return { p50: times.quantile(0.5), p95: times.quantile(0.95), p99: times.quantile(0.99), most: times.most() };
}
