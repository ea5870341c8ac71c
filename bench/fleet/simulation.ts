import { createArrivals } from "./arrivals.ts";
import { begin, finish, leaseLeft, poll, readCollected, readEnd, readStart, resume, schedulePoll } from "./task-life.ts";
import { enqueue, serve } from "./queueing.ts";
import type { Figures } from "./figures.ts";
import { createRecord } from "./record.ts";
import type { Scenario } from "./scenario.ts";
import { phase } from "./task-table.ts";
import { createWorld, laneOfTask, type World } from "./world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Lets a fleet live through some hours of virtual time, and checks that no task was lost on the way. */
export function simulate(scenario: Scenario): Figures {
  const world = createWorld(scenario);
  const { wheel, ids, counts, nodes, random } = world;
  const record = createRecord(world);
  const arrivals = createArrivals(world);
  arrivals.begin();
  wheel.schedule(ids.minute, minuteMs);
  for (let node = 0; node < nodes.count; node++) wheel.schedule(ids.nodes + node, random.exponential(scenario.nodeLifeHours * hourMs));
  const until = scenario.hours * hourMs + 1;
  for (let id = wheel.next(until); id >= 0; id = wheel.next(until)) {
    counts.events++;
    if (id < ids.lanes) advance(world, id);
    else if (id < ids.arrivals) serveLane(world, id - ids.lanes);
    else if (id === ids.arrivals) arrivals.arrive();
    else if (id === ids.minute) {
      expireOverdue(world);
      record.endMinute();
      wheel.schedule(ids.minute, wheel.now() + minuteMs);
    } else turnNode(world, id - ids.nodes);
  }
  checkNothingLost(world);
  return record.figures();
}

function advance(world: World, id: number): void {
  const { tasks } = world;
  if (tasks.isOrphan[id] === 1) return resume(world, id);
  switch (tasks.phases[id]) {
    case phase.delayed:
      return enqueue(world, id, laneOfTask(world, id), 0);
    case phase.sending:
      return readStart(world, id);
    case phase.polling:
      return poll(world, id);
    case phase.answered:
      return readEnd(world, id);
    case phase.collecting:
      return readCollected(world, id);
    default:
      throw new Error(`nothing is to be done for task ${id}`);
  }
}

function serveLane(world: World, index: number): void {
  const lane = world.lanes[index];
  if (lane !== undefined) serve(world, lane, (id, node) => begin(world, id, node));
}

/** A node dies, or comes back. */
function turnNode(world: World, node: number): void {
  const { nodes, tasks, wheel, random, counts, scenario, ids } = world;
  const now = wheel.now();
  if (nodes.isDead[node] === 1) {
    nodes.isDead[node] = 0;
    wheel.schedule(ids.nodes + node, now + random.exponential(scenario.nodeLifeHours * hourMs));
    return;
  }
  nodes.die(node);
  counts.deaths++;
  wheel.schedule(ids.nodes + node, now + scenario.restartMs);
  for (let id = 0; id < tasks.phases.length; id++) {
    const at = tasks.phases[id] ?? phase.free;
    if (at < phase.sending || tasks.node[id] !== node || tasks.isOrphan[id] === 1) continue;
    if (at === phase.answered) {
      // The answer to a poll died with whoever asked: it is asked again when the row says.
      tasks.phases[id] = phase.polling;
      schedulePoll(world, id, laneOfTask(world, id), tasks.dueAt[id] ?? now);
    } else if (at !== phase.polling) {
      const left = leaseLeft(world);
      tasks.isOrphan[id] = 1;
      counts.orphans++;
      world.recoveries.add(left);
      wheel.schedule(id, now + left);
    }
  }
}

function expireOverdue(world: World): void {
  const { lanes, tasks, wheel, nodes } = world;
  const now = wheel.now();
  for (const lane of lanes) {
    const overdue = lane.queue.drop((id) => (tasks.deadlineAt[id] ?? 0) <= now);
    // Every look ends a few of them.
    for (const [place, id] of overdue.entries()) finish(world, id, nodes.anyOf(now + place), "expired");
  }
}

/** Accepted is succeeded, failed or under way, and the slots in use are those of the tasks that have one. */
function checkNothingLost({ counts, tasks, lanes }: World): void {
  const phases = tasks.count();
  const underWay = phases.reduce((sum, count) => sum + count, 0) - (phases[phase.free] ?? 0);
  const { accepted, succeeded, failed } = counts;
  if (accepted !== succeeded + failed + underWay)
    throw new Error(`${accepted} tasks were accepted, but ${succeeded} succeeded, ${failed} failed and ${underWay} are under way`);
  const used = lanes.reduce((sum, lane) => sum + lane.used, 0);
  const holding = underWay - (phases[phase.delayed] ?? 0) - (phases[phase.waiting] ?? 0);
  if (used !== holding) throw new Error(`${used} slots are in use, but ${holding} tasks have one`);
  const queued = lanes.reduce((sum, lane) => sum + lane.queue.size(), 0);
  if (queued !== phases[phase.waiting]) throw new Error(`${queued} tasks are in queues, but ${phases[phase.waiting]} wait`);
}
