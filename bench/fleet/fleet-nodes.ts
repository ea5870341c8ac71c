import { commitMs, dispatcher, nodeCosts, verbCosts, verbNames, type VerbName } from "./constants.ts";
import type { StoreLoad } from "./store-load.ts";

const places = verbNames.length;
const placeOf = Object.fromEntries(verbNames.map((name, place) => [name, place])) as Record<VerbName, number>;

/**
 * The nodes: their looks for work, what they have in hand, their polls under way, the writes they gather, their processors.
 * `fleet` nodes look for work, of which `simulated` are here.
 */
export function createFleetNodes(simulated: number, fleet: number, load: StoreLoad) {
  const inHand = new Int32Array(simulated);
  const mostInHand = new Int32Array(simulated);
  const cpuUs = new Float64Array(simulated);
  const wakes = new Float64Array(simulated);
  const finds = new Float64Array(simulated);
  const notes = new Float64Array(simulated);
  const isDead = new Uint8Array(simulated);
  const pollEnds = new Float64Array(simulated * dispatcher.mostPolls);
  const pollHeads = new Int32Array(simulated);
  const commitEnds = new Float64Array(simulated * places);
  const nextEnds = new Float64Array(simulated * places);
  let gap = dispatcher.tickMs / fleet;
  let ownGap = dispatcher.tickMs / simulated;

  function alive(from: number): number {
    for (let step = 0; step < simulated; step++) {
      const node = (from + step) % simulated;
      if (isDead[node] === 0) return node;
    }
    return from % simulated;
  }

  return {
    count: simulated,
    inHand,
    mostInHand,
    cpuUs,
    wakes,
    /** Looks that found something, and notes to the other nodes. */
    finds,
    notes,
    /** From now on each node looks so often. */
    paceLooks(perSecond: number): void {
      gap = 1_000 / perSecond / fleet;
      ownGap = 1_000 / perSecond / simulated;
    },
    isDead,
    /** Looks of all nodes follow each other evenly: the first one at or after a time. */
    lookAfter: (ms: number): number => Math.ceil(Math.ceil(ms / gap) * gap),
    /** Which look finds what is due at a time, so that polls of one look can share a request. */
    lookId: (ms: number): number => Math.ceil(ms / ownGap),
    lookerAt: (ms: number): number => alive(Math.ceil(ms / ownGap) % simulated),
    /** A node that lives, by any number. */
    anyOf: (number: number): number => alive(number % simulated),
    /** Begins a poll: no node has more than so many under way; answers when it is sent. */
    beginPoll(node: number, at: number, takesMs: number): number {
      const head = pollHeads[node] ?? 0;
      const slot = node * dispatcher.mostPolls + head;
      const sent = Math.max(at, pollEnds[slot] ?? 0);
      pollEnds[slot] = sent + takesMs;
      pollHeads[node] = (head + 1) % dispatcher.mostPolls;
      return sent;
    },
    /** Writes one item; what comes while a commit of the verb is under way shares the next one. Answers when it is on disk. */
    write(node: number, verb: VerbName, at: number, account = -1, gate = -1): number {
      const place = node * places + placeOf[verb];
      const ms = commitMs(verb) * load.slowness();
      const current = commitEnds[place] ?? 0;
      const next = nextEnds[place] ?? 0;
      const isIdle = at >= next;
      const shares = !isIdle && at < current && next > current;
      if (isIdle) commitEnds[place] = nextEnds[place] = at + ms;
      else if (!shares) {
        commitEnds[place] = at < current ? current : next;
        nextEnds[place] = (at < current ? current : next) + ms;
      }
      load.count(verb, shares, account, gate);
      cpuUs[node] = (cpuUs[node] ?? 0) + (shares ? nodeCosts.sharedWriteUs : verbCosts[verb].nodeUs);
      return nextEnds[place] ?? at;
    },
    takeInHand(node: number): void {
      const now = (inHand[node] ?? 0) + 1;
      inHand[node] = now;
      if (now > (mostInHand[node] ?? 0)) mostInHand[node] = now;
    },
    letGo(node: number): void {
      inHand[node] = (inHand[node] ?? 0) - 1;
    },
    spend(node: number, us: number): void {
      cpuUs[node] = (cpuUs[node] ?? 0) + us;
    },
    /** Everything in its memory is gone; what it wrote stays. */
    die(node: number): void {
      isDead[node] = 1;
      inHand[node] = 0;
      pollEnds.fill(0, node * dispatcher.mostPolls, (node + 1) * dispatcher.mostPolls);
      commitEnds.fill(0, node * places, (node + 1) * places);
      nextEnds.fill(0, node * places, (node + 1) * places);
    },
  };
}
