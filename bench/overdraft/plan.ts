import { createRandom, type Random } from "../fleet/random.ts";

export type Mode = "before" | "after" | "slow";

/** What happens, and when. Places of nodes and accounts are numbers from 0. */
export type Act = { at: number } & (
  | { kind: "call"; node: number; account: number; keyed: boolean; wish: number; least: number; cost: number; ms: number; fails: boolean }
  | { kind: "submit"; node: number; account: number; keyed: boolean; hold: number; cost: number; ms: number; cancelMs: number | null }
  | { kind: "credit"; node: number; account: number; nanos: number }
  | { kind: "freeze"; account: number; ms: number }
  | { kind: "post"; node: number }
  | { kind: "crash"; node: number; ms: number }
  | { kind: "leave"; node: number; ms: number }
  | { kind: "pause"; node: number; ms: number; suspended: boolean }
  | { kind: "jump"; node: number; byMs: number }
  | { kind: "trouble"; node: number; ms: number; mode: Mode }
  | { kind: "deaf"; ms: number }
);

/** All that chance decides before a run begins. */
export type Plan = {
  seed: number;
  nodes: number;
  balances: number[];
  /** What the key of each account may spend; null without a cap. */
  capNanos: number | null;
  latencyMs: number;
  /** How many of the notes between nodes get lost, and how many come twice. */
  loss: number;
  skewsMs: number[];
  acts: Act[];
};

/** When faults begin and are over, calm traffic begins and is over, and everything that was lent is back. */
export const times = { faultsEnd: 60_000, calmFrom: 110_000, calmTo: 130_000, end: 175_000 };

const faultsFrom = 5_000;
const faultsTo = 40_000;
/** By how much clocks of healthy machines are wrong. */
export const mostSkewMs = 2_000;

export function makePlan(seed: number): Plan {
  const random = createRandom(seed);
  const chance = (share: number) => random.unit() < share;
  const between = (low: number, high: number) => Math.floor(low + random.unit() * (high - low));
  const nodes = between(2, 6);
  const accounts = chance(0.7) ? 1 : 2;
  const isCalm = chance(0.4);
  const plan: Plan = {
    seed,
    nodes,
    balances: Array.from({ length: accounts }, () => between(100, 3_000)),
    capNanos: chance(0.3) ? between(100, 2_000) : null,
    latencyMs: chance(0.7) ? 10 : 150,
    loss: chance(0.5) ? 0 : random.unit() * 0.8,
    skewsMs: Array.from({ length: nodes }, () => between(-mostSkewMs, mostSkewMs)),
    acts: [],
  };
  const { acts } = plan;
  for (let burst = between(2, 6); burst > 0; burst--) addBurst(acts, random, plan, between(0, faultsTo), !isCalm);
  if (chance(0.1)) addCrowd(acts, random, plan);
  else for (let burst = between(1, 4); burst > 0; burst--) addBurst(acts, random, plan, between(times.calmFrom, times.calmTo), false);
  if (chance(0.15)) addTrickle(acts, random, plan, !isCalm);
  if (chance(0.7)) addOddities(acts, random, plan);
  if (!isCalm) addFaults(acts, random, plan);
  acts.sort((a, b) => a.at - b.at);
  return plan;
}

/** Several requests at nearly the same time, so that they meet. */
function addBurst(acts: Act[], random: Random, { nodes, balances }: Plan, from: number, mayExceed: boolean): void {
  const chance = (share: number) => random.unit() < share;
  const between = (low: number, high: number) => Math.floor(low + random.unit() * (high - low));
  const account = between(0, balances.length);
  const most = Math.max(10, (balances[account] ?? 0) / between(1, 12));
  const spreadMs = chance(0.5) ? 40 : 3_000;
  for (let left = between(2, 8); left > 0; left--) {
    const request = { at: from + between(0, spreadMs), node: between(0, nodes), account, keyed: chance(0.3) };
    const amount = between(1, most);
    const ms = chance(0.7) ? between(5, 600) : between(600, 18_000);
    if (chance(0.8)) {
      const cost = mayExceed && chance(0.1) ? 1 + random.unit() * 3 : chance(0.4) ? 1 : random.unit();
      acts.push({
        kind: "call",
        ...request,
        wish: amount,
        least: chance(0.5) ? amount : Math.ceil(amount / 4),
        cost,
        ms,
        fails: chance(0.1),
      });
    } else {
      const hold = { hold: amount, cost: chance(0.6) ? 1 : random.unit(), ms };
      acts.push({ kind: "submit", ...request, ...hold, cancelMs: chance(0.3) ? between(0, 2_000) : null });
    }
  }
}

/** Small calls at all nodes but one without a pause, and one large request at that one. */
function addCrowd(acts: Act[], random: Random, { nodes, balances }: Plan): void {
  const between = (low: number, high: number) => Math.floor(low + random.unit() * (high - low));
  const account = between(0, balances.length);
  const balance = balances[account] ?? 0;
  acts.push({ kind: "credit", at: times.calmFrom - 5_000, node: 0, account, nanos: balance });
  const everyMs = between(150, 500);
  const few = { account, keyed: false, cost: 0.01, fails: false };
  for (let at = times.calmFrom; at < times.calmTo + 5_000; at += between(0, 2 * everyMs)) {
    const wish = between(1, Math.max(2, balance / 40));
    acts.push({ kind: "call", at, node: between(1, nodes), ...few, wish, least: wish, ms: between(5, 200) });
  }
  const large = { at: between(times.calmFrom + 1_000, times.calmTo - 15_000), node: 0, ...few };
  const nanos = Math.floor(balance * (0.2 + random.unit() * 0.8));
  if (random.unit() < 0.5) acts.push({ kind: "submit", ...large, hold: nanos, ms: 100, cancelMs: null });
  else acts.push({ kind: "call", ...large, wish: nanos, least: nanos, ms: 100 });
}

/**
 * One call after the other at one node, so that it never gives its lease back, and what it has wrong after a fault stays wrong until
 * everybody wants everything.
 */
function addTrickle(acts: Act[], random: Random, { nodes, balances }: Plan, isFaulty: boolean): void {
  const between = (low: number, high: number) => Math.floor(low + random.unit() * (high - low));
  const account = between(0, balances.length);
  const balance = balances[account] ?? 0;
  const wish = Math.ceil(balance / between(15, 60));
  const few = { account, keyed: false, wish, least: wish, cost: 0.05, fails: false };
  for (let at = faultsFrom; at < times.calmTo; at += between(500, 3_500))
    acts.push({ kind: "call", at, node: 0, ...few, ms: between(5, 3_000) });
  const rush = between(times.calmFrom, times.calmTo);
  for (let left = between(6, 12); left > 0; left--) {
    const large = { wish: Math.ceil(balance / 5), least: 1, cost: 1, ms: between(100, 4_000) };
    acts.push({ kind: "call", at: rush + between(0, 500), node: left % 2 === 0 ? 0 : between(0, nodes), ...few, ...large });
  }
  if (!isFaulty) return;
  const at = between(faultsFrom + 5_000, 25_000);
  acts.push({ kind: "pause", at, node: 0, ms: between(21_000, 33_000), suspended: random.unit() < 0.3 });
  for (let left = between(1, 4); left > 0; left--)
    acts.push({ kind: "call", at: at + between(20_000, 34_000), node: between(1, nodes), ...few, ms: between(5, 3_000) });
}

/** What belongs to a good day: the operator's acts, nodes that come and go, notes that get lost. */
function addOddities(acts: Act[], random: Random, { nodes, balances }: Plan): void {
  const between = (low: number, high: number) => Math.floor(low + random.unit() * (high - low));
  for (let left = between(1, 6); left > 0; left--) {
    const at = between(0, faultsTo);
    const [node, account] = [between(0, nodes), between(0, balances.length)];
    const oddities: Act[] = [
      { kind: "credit", at, node, account, nanos: between(1, 500) },
      { kind: "credit", at, node, account, nanos: -between(1, 500) },
      { kind: "freeze", at, account, ms: between(100, 5_000) },
      { kind: "post", at: between(0, times.end), node },
      { kind: "crash", at, node, ms: between(500, 12_000) },
      { kind: "leave", at, node, ms: between(500, 12_000) },
      { kind: "deaf", at, ms: between(500, 15_000) },
    ];
    acts.push(...pick(oddities, random));
  }
}

/** What may cost us money: nodes that stand still, clocks that jump, a database that does not say what it did. */
function addFaults(acts: Act[], random: Random, { nodes }: Plan): void {
  const between = (low: number, high: number) => Math.floor(low + random.unit() * (high - low));
  const modes = ["before", "after", "slow"] as const;
  for (let left = between(1, 4); left > 0; left--) {
    const at = between(faultsFrom, faultsTo);
    const node = between(0, nodes);
    const ms = between(500, times.faultsEnd - at);
    const faults: Act[] = [
      { kind: "pause", at, node, ms: Math.min(ms, between(500, random.unit() < 0.3 ? 6_000 : 40_000)), suspended: random.unit() < 0.3 },
      { kind: "jump", at, node, byMs: between(-20_000, 20_000) },
      { kind: "trouble", at, node, ms: Math.min(ms, 15_000), mode: modes[between(0, 3)] ?? "before" },
      { kind: "trouble", at, node, ms: Math.min(ms, 5_000), mode: modes[between(0, 3)] ?? "after" },
    ];
    acts.push(...pick(faults, random));
  }
}

function pick<T>(list: readonly T[], random: Random): T[] {
  const place = Math.floor(random.unit() * list.length);
  return list.slice(place, place + 1);
}
