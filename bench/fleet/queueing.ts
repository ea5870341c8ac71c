import { nextRank } from "../../src/core/pace.ts";
import { dispatcher, nodeCosts } from "./constants.ts";
import type { Lane } from "./lanes.ts";
import { phase } from "./task-table.ts";
import { countFind, gateOf, laneOfTask, tellOthers, type World } from "./world.ts";

/** A task is accepted by a node: its hold and its place in the fair queue are one commit. */
export function submit(world: World, offer: number, account: number): void {
  const { tasks, wheel, nodes, random, counts } = world;
  const now = wheel.now();
  const node = nodes.anyOf(Math.floor(random.unit() * 1e6));
  const lane = world.laneByName.get(world.failover.first(offer, random));
  if (lane === undefined) throw new Error("an offer has no route");
  const id = tasks.add();
  tasks.offer[id] = offer;
  tasks.account[id] = account;
  tasks.lane[id] = lane.index;
  takeRank(world, id, lane);
  tasks.attempt[id] = 0;
  tasks.isOrphan[id] = 0;
  tasks.shown[id] = 0;
  tasks.createdAt[id] = now;
  tasks.firstClaimAt[id] = -1;
  tasks.deadlineAt[id] = now + (deadlines[lane.kind] ?? usualDeadlineMs);
  nodes.spend(node, nodeCosts.submitUs);
  tellOthers(world, node, true);
  counts.accepted++;
  enqueue(world, id, lane, nodes.write(node, "accept", now, account));
}

// As src/config/settings.ts has them.
const usualDeadlineMs = 10 * 60_000;
const deadlines: Record<string, number> = { music: 20 * 60_000, video: 60 * 60_000 };

/** Gives a task its place in the fair queue of a lane. */
function takeRank({ shares, tasks, scenario }: World, id: number, lane: Lane): void {
  const share = lane.index * scenario.accounts + (tasks.account[id] ?? 0);
  tasks.rank[id] = shares[share] = nextRank(shares[share], lane.rank);
}

/** Puts a task into a queue, at a time; it keeps the rank it has. */
export function enqueue(world: World, id: number, lane: Lane, at: number): void {
  const { tasks, wheel } = world;
  tasks.lane[id] = lane.index;
  if (at > wheel.now()) {
    tasks.dueAt[id] = at;
    tasks.phases[id] = phase.delayed;
    wheel.schedule(id, at);
    return;
  }
  tasks.phases[id] = phase.waiting;
  lane.queue.push(id, tasks.rank[id] ?? 0);
  offerSlots(world, lane);
}

/** The next look serves a lane in which somebody waits and a slot is free. */
export function offerSlots({ wheel, nodes, ids }: World, lane: Lane): void {
  if (lane.isServing || lane.queue.size() === 0 || lane.used >= lane.limit) return;
  lane.isServing = true;
  // Whoever brought the work or freed the slot also woke its own loop.
  wheel.schedule(ids.lanes + lane.index, Math.min(nodes.lookAfter(wheel.now() + 1), wheel.now() + dispatcher.restMs));
}

/** A look takes as many tasks of a lane as there are slots, and as its node may have in hand. */
export function serve(world: World, lane: Lane, begin: (id: number, node: number) => void): void {
  const { nodes, wheel, tasks } = world;
  lane.isServing = false;
  const now = wheel.now();
  const node = nodes.lookerAt(now);
  let most = Math.min(dispatcher.mostRuns - (nodes.inHand[node] ?? 0), lane.limit - lane.used, dispatcher.mostStepsALook);
  let clock = -1;
  for (; most > 0; most--) {
    const id = lane.queue.pop();
    if (id < 0) break;
    clock = Math.max(clock, tasks.rank[id] ?? 0);
    lane.used++;
    countFind(world, "claim", node, now, gateOf(lane, id));
    begin(id, node);
  }
  if (clock >= 0) world.load.lockLane(lane.index);
  if (lane.used > lane.mostUsed) lane.mostUsed = lane.used;
  if (clock >= 0) lane.rank = clock;
  offerSlots(world, lane);
}

/** Frees the slot of a task. */
export function release(world: World, id: number): void {
  const lane = laneOfTask(world, id);
  lane.used--;
  if (lane.used < 0) throw new Error(`${lane.name} has more free slots than slots`);
  offerSlots(world, lane);
}
