import { pollDelayMs, retryDelayMs } from "../../src/core/pace.ts";
import type { FailureClass } from "../../src/core/refusal.ts";
import { dispatcher, nodeBounds, nodeCosts } from "./constants.ts";
import { enqueue, release } from "./queueing.ts";
import { burstAccount, isOut } from "./scenario.ts";
import { phase } from "./task-table.ts";
import { countFind, gateOf, laneOfTask, tellOthers, type World } from "./world.ts";
import type { Lane } from "./lanes.ts";

const fate = { good: 0, failed: 1, forbidden: 2, refused: 3, unanswered: 4, out: 5 } as const;

/** Sends a job: the intent is on disk before, and its answer comes later. */
export function begin(world: World, id: number, node: number): void {
  const { tasks, wheel, nodes, random, counts } = world;
  const lane = laneOfTask(world, id);
  const { upstream } = lane;
  const now = wheel.now();
  if ((tasks.firstClaimAt[id] ?? 0) < 0) {
    tasks.firstClaimAt[id] = now;
    lane.waits.add(now - (tasks.createdAt[id] ?? 0));
    world.waits.add(now - (tasks.createdAt[id] ?? 0));
    if (tasks.account[id] !== burstAccount) world.othersWaits.add(now - (tasks.createdAt[id] ?? 0));
  } else world.againWaits.add(now - (tasks.dueAt[id] ?? 0));
  tasks.attempt[id] = (tasks.attempt[id] ?? 0) + 1;
  tasks.node[id] = node;
  tasks.phases[id] = phase.sending;
  nodes.takeInHand(node);
  nodes.spend(node, nodeCosts.startUs);
  counts.starts++;
  const intended = nodes.write(node, "intend", now);
  if (lane.isInstant) nodes.write(node, "progress", intended);
  const drawn = drawFate(world, lane, now);
  tasks.fate[id] = drawn;
  let takes = random.lognormal(upstream.startMs, 0.4);
  if (drawn === fate.unanswered) takes = answerTimeoutMs;
  else if (lane.isInstant && drawn < fate.refused) takes += random.lognormal(upstream.medianMs, upstream.spread);
  if (lane.isInstant && drawn === fate.good) takes += copy(world, id, node);
  wheel.schedule(id, intended + takes);
}

const answerTimeoutMs = 60_000;

function drawFate({ random, scenario, baseMs }: World, { name, upstream }: Lane, now: number): number {
  if (isOut(scenario, name, baseMs + now)) return fate.out;
  let aim = random.unit();
  if ((aim -= upstream.refused) < 0) return fate.refused;
  if ((aim -= upstream.unanswered) < 0) return fate.unanswered;
  if ((aim -= upstream.failed) < 0) return fate.failed;
  return aim - upstream.forbidden < 0 ? fate.forbidden : fate.good;
}

/** What an upstream said to a start. */
export function readStart(world: World, id: number): void {
  const { tasks, wheel, nodes, random } = world;
  const lane = laneOfTask(world, id);
  const now = wheel.now();
  const node = tasks.node[id] ?? 0;
  nodes.letGo(node);
  nodes.wakes[node] = (nodes.wakes[node] ?? 0) + 1;
  const drawn = tasks.fate[id] ?? 0;
  if (drawn === fate.refused) return tryAgain(world, id, node, "rate_limit", false);
  if (drawn === fate.out) return tryAgain(world, id, node, "transient", false);
  if (drawn === fate.unanswered) return readUnknown(world, id, node);
  if (lane.isInstant) {
    if (drawn === fate.failed) return tryAgain(world, id, node, "transient", false);
    return finish(world, id, node, drawn === fate.good ? "succeeded" : "failed");
  }
  const written = nodes.write(node, "answer", now);
  tellOthers(world, node, false);
  tasks.since[id] = written;
  tasks.doneAt[id] = written + random.lognormal(lane.upstream.medianMs, lane.upstream.spread);
  tasks.phases[id] = phase.polling;
  schedulePoll(world, id, lane, written + pollDelayMs(0, lane.pace, 0));
}

/** Nobody knows whether a job arrived: it is looked up where that can be done, and never sent twice. */
export function readUnknown(world: World, id: number, node: number): void {
  const { tasks, wheel, nodes, random } = world;
  const lane = laneOfTask(world, id);
  if (lane.recovery === "none") {
    world.counts.unknown++;
    return finish(world, id, node, "failed");
  }
  tasks.fate[id] = fate.good;
  const written = nodes.write(node, "answer", wheel.now() + lane.upstream.pollMs);
  tasks.since[id] = written;
  tasks.doneAt[id] = written + random.lognormal(lane.upstream.medianMs, lane.upstream.spread);
  tasks.phases[id] = phase.polling;
  schedulePoll(world, id, lane, written + pollDelayMs(0, lane.pace, 0));
}

/** The next poll is due at a time, or when the upstream calls. */
export function schedulePoll({ tasks, wheel }: World, id: number, lane: Lane, dueAt: number): void {
  tasks.dueAt[id] = dueAt;
  if (lane.pollMany > 1) lane.due.note(id, dueAt);
  const called = lane.hears ? (tasks.doneAt[id] ?? 0) + callbackMs : Infinity;
  wheel.schedule(id, called > wheel.now() ? Math.min(dueAt, called) : dueAt);
}

const callbackMs = 300;
const troubled = 0.002;

/** A look finds a job that is due; where its upstream is asked about many at once, those that are due in a moment come along. */
export function poll(world: World, id: number): void {
  const { tasks, wheel, nodes, counts } = world;
  const lane = laneOfTask(world, id);
  const now = wheel.now();
  const node = nodes.lookerAt(now);
  if (now < (tasks.dueAt[id] ?? 0)) {
    counts.callbacks++;
    nodes.spend(node, nodeCosts.callbackUs);
    nodes.write(node, "pollNow", now);
    tellOthers(world, node, true);
  }
  const isFirst = lane.askedBy[id % lane.keys] !== nodes.lookId(now);
  askAbout(world, id, lane, node);
  if (lane.pollMany === 1 || !isFirst) return;
  const isStill = (other: number, from: number, to: number) => {
    const dueAt = tasks.dueAt[other] ?? 0;
    return tasks.phases[other] === phase.polling && tasks.lane[other] === lane.index && dueAt > from && dueAt <= to;
  };
  const until = now + Math.min(dispatcher.aheadMs, lane.pace.everyMs / 2);
  for (const other of lane.due.take(now, until, lane.pollMany - 1, isStill)) {
    wheel.cancel(other);
    askAbout(world, other, lane, node);
  }
}

/** Asks about a job; an unchanged answer writes nothing. */
function askAbout(world: World, id: number, lane: Lane, node: number): void {
  const { tasks, wheel, nodes, random } = world;
  const now = wheel.now();
  countFind(world, "pollClaim", node, now);
  const look = nodes.lookAfter(now);
  const sent = nodes.beginPoll(node, look, lane.upstream.pollMs);
  world.lag.add(sent - now);
  countPoll(world, lane, id, node, now);
  const since = tasks.since[id] ?? 0;
  const doneAt = tasks.doneAt[id] ?? 0;
  const next = look + pollDelayMs(look - since, lane.pace, lane.used / world.share);
  if (isOut(world.scenario, lane.name, world.baseMs + now) || random.unit() < troubled) return schedulePoll(world, id, lane, next);
  if (sent + lane.upstream.pollMs / 2 >= doneAt) {
    tasks.phases[id] = phase.answered;
    tasks.node[id] = node;
    tasks.dueAt[id] = next;
    wheel.schedule(id, sent + lane.upstream.pollMs);
    return;
  }
  if (now >= (tasks.deadlineAt[id] ?? 0)) return finish(world, id, node, "expired");
  follow(world, id, lane, node, (100 * (sent - since)) / (doneAt - since), sent + lane.upstream.pollMs);
  schedulePoll(world, id, lane, next);
}

function countPoll(world: World, lane: Lane, id: number, node: number, now: number): void {
  const key = id % lane.keys;
  const look = world.nodes.lookId(now);
  world.counts.polls++;
  lane.jobsPolled++;
  if (lane.askedBy[key] === look && (lane.askedFor[key] ?? 0) < lane.pollMany) {
    lane.askedFor[key] = (lane.askedFor[key] ?? 0) + 1;
    world.nodes.spend(node, nodeCosts.sharedPollUs);
    return;
  }
  lane.askedBy[key] = look;
  lane.askedFor[key] = 1;
  lane.requests++;
  lane.requestsThisMinute++;
  world.nodes.spend(node, nodeCosts.pollUs);
}

// As src/core/follow.ts: what nobody would notice is not written.
const noticeable = 5;

function follow(world: World, id: number, lane: Lane, node: number, percent: number, at: number): void {
  const { tasks, nodes } = world;
  const shown = tasks.shown[id] ?? 0;
  const now = lane.upstream.tellsProgress ? Math.max(1, Math.floor(Math.min(99, percent))) : 1;
  if (shown > 0 && now < shown + noticeable) return;
  tasks.shown[id] = Math.max(shown, now);
  nodes.write(node, "progress", at);
  tellOthers(world, node, false);
}

/** A job is done, or failed, and we know it. */
export function readEnd(world: World, id: number): void {
  const { tasks, wheel, nodes } = world;
  const lane = laneOfTask(world, id);
  const node = tasks.node[id] ?? 0;
  const now = wheel.now();
  const late = now - (tasks.doneAt[id] ?? now);
  lane.found.add(late);
  world.found.add(late);
  if (tasks.fate[id] === fate.failed) return tryAgain(world, id, node, "transient", true);
  if (tasks.fate[id] === fate.forbidden) return finish(world, id, node, "failed");
  nodes.takeInHand(node);
  tasks.phases[id] = phase.collecting;
  wheel.schedule(id, nodes.write(node, "beginCollect", now) + copy(world, id, node));
}

/** The result is ours: the task ends well. */
export function readCollected(world: World, id: number): void {
  const { tasks, wheel, nodes } = world;
  const lane = laneOfTask(world, id);
  const node = tasks.node[id] ?? 0;
  nodes.letGo(node);
  world.paces.learn(lane.name, lane.kind, wheel.now() - (tasks.since[id] ?? 0));
  finish(world, id, node, "succeeded");
}

/** Fetches a result and stores it; answers how long that takes. */
function copy(world: World, id: number, node: number): number {
  const mib = world.random.lognormal(laneOfTask(world, id).upstream.resultMiB, 0.4);
  world.counts.mib += mib;
  world.nodes.spend(node, nodeCosts.collectUs + mib * nodeCosts.mediaUsPerMiB);
  return (mib / nodeBounds.copyMiBPerSecond) * 1_000;
}

/** A no: another route, or the same one later; else the end. */
function tryAgain(world: World, id: number, node: number, why: FailureClass, wasAccepted: boolean): void {
  const { tasks, wheel, nodes, failover, counts } = world;
  const lane = laneOfTask(world, id);
  const now = wheel.now();
  const attempt = tasks.attempt[id] ?? 1;
  const next = failover.mayTryAgain(attempt) ? failover.next(id, tasks.offer[id] ?? 0, lane.name, why, wasAccepted) : null;
  const at = wasAccepted ? now : now + retryDelayMs(attempt, undefined);
  const other = next === null ? undefined : world.laneByName.get(next);
  if (other === undefined || at >= (tasks.deadlineAt[id] ?? 0)) return finish(world, id, node, "failed");
  const written = nodes.write(node, "answer", now, -1, gateOf(lane, id));
  release(world, id);
  if (wasAccepted) tellOthers(world, node, true);
  if (other === lane) counts.retries++;
  else counts.failovers++;
  enqueue(world, id, other, Math.max(at, written));
}

/** Ends a task: state, money, slot and outbox in one commit. */
export function finish(world: World, id: number, node: number, how: "succeeded" | "failed" | "expired"): void {
  const { tasks, wheel, nodes, counts, random, load } = world;
  const lane = laneOfTask(world, id);
  const now = wheel.now();
  const held = tasks.phases[id] !== phase.waiting;
  nodes.write(node, "finish", now, tasks.account[id] ?? 0, held ? gateOf(lane, id) : -1);
  tellOthers(world, node, false);
  if (how === "succeeded") {
    counts.succeeded++;
    lane.succeeded++;
  } else {
    counts.failed++;
    lane.failed++;
    if (how === "expired") {
      counts.expired++;
      lane.expired++;
      if (tasks.account[id] !== burstAccount) counts.othersExpired++;
    }
  }
  if (random.unit() < world.scenario.hooked) {
    nodes.spend(node, nodeCosts.webhookUs);
    countFind(world, "pollClaim", node, now);
    nodes.write(node, "chore", now);
  } else {
    // Whoever is not told asks.
    const reads = Math.ceil((now - (tasks.createdAt[id] ?? 0)) / readEveryMs);
    counts.reads += reads;
    nodes.spend(nodes.anyOf(id), reads * nodeCosts.readUs);
    load.addReads(reads);
  }
  world.failover.forget(id);
  tasks.remove(id);
  if (held) release(world, id);
}

const readEveryMs = 10_000;

/** The lease of a dead node has run out: another one goes on where it was. */
export function resume(world: World, id: number): void {
  const { tasks, wheel, nodes } = world;
  const now = wheel.now();
  const node = nodes.lookerAt(now);
  tasks.isOrphan[id] = 0;
  tasks.node[id] = node;
  countFind(world, "pollClaim", node, now);
  if (tasks.phases[id] === phase.sending) return readUnknown(world, id, node);
  nodes.takeInHand(node);
  wheel.schedule(id, now + laneOfTask(world, id).upstream.pollMs + copy(world, id, node));
}

/** When a lease that a dead node renewed last runs out: it renews three times in a lease. */
export function leaseLeft({ random }: World): number {
  return dispatcher.leaseMs * (1 - random.unit() / 3);
}
