import { verbCosts } from "./constants.ts";
import { createFailover } from "./failover.ts";
import { createFleetNodes } from "./fleet-nodes.ts";
import { createHistogram } from "./histogram.ts";
import { createLanes, type Lane } from "./lanes.ts";
import { createRandom } from "./random.ts";
import { thinned, type Scenario } from "./scenario.ts";
import { createStoreLoad } from "./store-load.ts";
import { createTaskTable } from "./task-table.ts";
import { createFleetCatalog } from "./upstreams.ts";
import { createWheel } from "./wheel.ts";

/** Everything that a simulation knows, in one place. */
export type World = ReturnType<typeof createWorld>;

export const mostKeys = 8;

/** Room for as many tasks as may be under way: all that come, or a million. */
function roomFor({ tasks, hours }: Scenario, share: number): number {
  return Math.min(1 << 20, 1_000 + Math.ceil(tasks * share * Math.min(1, hours / 10)));
}

export function createWorld(scenario: Scenario) {
  const { simulated, share } = thinned(scenario);
  const room = roomFor(scenario, share);
  const catalog = createFleetCatalog(scenario.tasks / 1e6);
  const { lanes, paces } = createLanes(catalog, share);
  const load = createStoreLoad(share, scenario.accounts, lanes.length * mostKeys, lanes.length);
  return {
    scenario,
    share,
    baseMs: scenario.fromHour * 3_600_000,
    random: createRandom(scenario.seed),
    tasks: createTaskTable(room),
    lanes,
    laneByName: new Map<string, Lane>(lanes.map((lane) => [lane.name, lane])),
    paces,
    load,
    nodes: createFleetNodes(simulated, scenario.nodes, load),
    failover: createFailover(catalog),
    wheel: createWheel(room + lanes.length + 2 + simulated),
    ids: { lanes: room, arrivals: room + lanes.length, minute: room + lanes.length + 1, nodes: room + lanes.length + 2 },
    /** The virtual time of each lane × account. */
    shares: new Float64Array(lanes.length * scenario.accounts),
    waits: createHistogram(),
    /** Of all but the account that has bursts. */
    othersWaits: createHistogram(),
    /** Of what was refused or failed somewhere, until it is claimed again. */
    againWaits: createHistogram(),
    found: createHistogram(),
    lag: createHistogram(),
    recoveries: createHistogram(),
    lastFind: -1,
    /** Notes of new work in this minute. */
    workNotes: 0,
    counts: {
      accepted: 0,
      succeeded: 0,
      failed: 0,
      expired: 0,
      othersExpired: 0,
      unknown: 0,
      failovers: 0,
      retries: 0,
      starts: 0,
      polls: 0,
      callbacks: 0,
      deaths: 0,
      orphans: 0,
      mib: 0,
      reads: 0,
      events: 0,
    },
  };
}

/** The lane that a task is in. */
export function laneOfTask({ lanes, tasks }: World, id: number): Lane {
  const lane = lanes[tasks.lane[id] ?? 0];
  if (lane === undefined) throw new Error(`task ${id} is in no lane`);
  return lane;
}

/** The row of the gate that a task's slot is counted in. */
export function gateOf(lane: Lane, id: number): number {
  return lane.index * mostKeys + (id % lane.keys);
}

/** A node tells the others that a task has changed; of new work it also tells who could do it. */
export function tellOthers(world: World, node: number, isWork: boolean): void {
  world.nodes.notes[node] = (world.nodes.notes[node] ?? 0) + 1;
  if (!isWork) return;
  world.nodes.wakes[node] = (world.nodes.wakes[node] ?? 0) + 1;
  world.workNotes++;
}

/** Counts what a look found: the first find makes its claim a write, the others share it. */
export function countFind(world: World, verb: "claim" | "pollClaim", node: number, at: number, gate = -1): void {
  const look = world.nodes.lookId(at);
  world.load.count(verb, look === world.lastFind, -1, gate);
  if (look !== world.lastFind) {
    world.nodes.spend(node, verbCosts[verb].nodeUs);
    world.nodes.finds[node] = (world.nodes.finds[node] ?? 0) + 1;
  }
  world.lastFind = look;
}
