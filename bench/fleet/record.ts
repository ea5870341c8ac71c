import { dispatcher, nodeCosts, noteCosts } from "./constants.ts";
import { figuresOf, type Figures, type Peaks } from "./figures.ts";
import { looksPerSecond } from "./looks.ts";
import type { MinuteLoad } from "./store-load.ts";
import type { World } from "./world.ts";

/** Keeps what each minute asked of the fleet. */
export type Record = {
  /** Closes a minute: what was counted in it is kept, and the paces are looked up again. */
  endMinute(): void;
  figures(): Figures;
};

export function createRecord(world: World): Record {
  const { nodes, lanes, load, counts, share, tasks } = world;
  const hot = { hotGateSeconds: 0, hotAccountSeconds: 0, hotLaneSeconds: 0 };
  const sums: MinuteLoad = { commits: 0, looks: 0, items: 0, rows: 0, serverSeconds: 0, heard: 0, ...hot };
  const peaks: Peaks = { ...sums, nodeCpu: 0, mib: 0, pollRequests: 0, submits: 0, underWay: 0 };
  let before = { accepted: 0, mib: 0 };
  let cpuSeconds = 0;

  const isWarm = () => world.wheel.now() > warmMs;

  /** Processor of the busiest node, in cores. */
  function closeNodes(): number {
    let most = 0;
    let allLooks = 0;
    const { nodes: fleet } = world.scenario;
    const sheets = Array.from(nodes.notes, sheetsOf);
    const heard = sheets.reduce((sum, count) => sum + count, 0) / share;
    const wakesByOthers = (world.workNotes / share) * Math.min(1, dispatcher.woken / fleet);
    for (let node = 0; node < nodes.count; node++) {
      load.addNotes(sheets[node] ?? 0, fleet - 1);
      if (nodes.isDead[node] === 1) continue;
      const looks = 60 * looksPerSecond(((nodes.wakes[node] ?? 0) + wakesByOthers) / 60, (nodes.finds[node] ?? 0) / 60);
      allLooks += looks;
      load.addLooks(looks);
      for (let beat = 0; beat < 60_000 / dispatcher.beatMs; beat++) load.count("beat", false, -1, -1);
      // Leases are renewed three times in each, all of a node in one commit.
      const renewals = (nodes.inHand[node] ?? 0) > 0 ? (3 * 60_000) / dispatcher.leaseMs : 0;
      for (let time = 0; time < renewals; time++) load.count("renew", false, -1, -1);
      const seconds = ((nodes.cpuUs[node] ?? 0) + looks * nodeCosts.lookUs + heard * noteCosts.heardNodeUs) / 1e6;
      cpuSeconds += seconds;
      most = Math.max(most, seconds / 60);
    }
    nodes.paceLooks(Math.max(1, allLooks / 60 / nodes.count));
    for (const counted of [nodes.cpuUs, nodes.wakes, nodes.finds, nodes.notes]) counted.fill(0);
    world.workNotes = 0;
    return most;
  }

  function closeLanes(): number {
    let requests = 0;
    for (const lane of lanes) {
      requests += lane.requestsThisMinute;
      if (isWarm()) lane.mostRequestsAMinute = Math.max(lane.mostRequestsAMinute, lane.requestsThisMinute);
      lane.requestsThisMinute = 0;
      lane.refreshPace();
    }
    return requests;
  }

  return {
    endMinute() {
      const nodeCpu = closeNodes();
      const minute = load.endMinute();
      const all: Peaks = {
        ...minute,
        nodeCpu,
        pollRequests: closeLanes() / share,
        mib: (counts.mib - before.mib) / share,
        submits: (counts.accepted - before.accepted) / share,
        underWay: tasks.underWay() / share,
      };
      before = { accepted: counts.accepted, mib: counts.mib };
      for (const name of Object.keys(sums) as (keyof MinuteLoad)[]) sums[name] += minute[name];
      if (!isWarm()) return;
      for (const name of Object.keys(peaks) as (keyof Peaks)[]) peaks[name] = Math.max(peaks[name], all[name]);
    },
    figures: () => figuresOf(world, sums, peaks, cpuSeconds),
  };
}

// A fleet that begins with nothing has not learned yet how long jobs take, and asks too often: no minute of that is the busiest.
const warmMs = 20 * 60_000;

/** Notes of a minute, gathered for a moment before they are sent. */
function sheetsOf(notes: number): number {
  return notes / (1 + (notes / 60_000) * dispatcher.gatherMs);
}
