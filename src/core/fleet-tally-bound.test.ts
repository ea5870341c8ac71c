import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { restMs } from "./exchange-rhythm.ts";
import { virtualFleet } from "./fleet-tally.fixture.ts";

/** Arrivals at the nodes of a fleet: how many a second come to each, and when the node begins and ends to get some. */
type Traffic = { perSecond: number; fromMs: number; toMs: number }[];

type Day = { limit: number; traffic: Traffic; /** How long an exchange takes. */ tripMs: number };

type Outcome = { arrivals: number[][]; admitted: number[][] };

/** Lets requests come by chance, and admits them as a key's limit does. */
async function play(context: TestContext, { limit, traffic, tripMs }: Day, random: () => number): Promise<Outcome> {
  const fleet = virtualFleet(
    context,
    traffic.map(() => 0),
    tripMs,
  );
  const outcome: Outcome = { arrivals: traffic.map(() => []), admitted: traffic.map(() => []) };
  for (let ms = 0; ms < Math.max(...traffic.map(({ toMs }) => toMs)); ms++) {
    for (const [node, { perSecond, fromMs, toMs }] of traffic.entries()) {
      if (ms < fromMs || ms >= toMs || random() > perSecond / 1_000) continue;
      outcome.arrivals[node]?.push(ms);
      fleet.nodes[node]?.add("a", 1);
      if ((fleet.nodes[node]?.minute("a").used ?? 0) <= limit) outcome.admitted[node]?.push(ms);
    }
    await fleet.pass(1);
  }
  return outcome;
}

/** The most that came within any stretch of so many milliseconds. */
function mostWithin(times: readonly number[], ms: number): number {
  return Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + ms).length));
}

/** The same numbers for the same seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function evenly(nodes: number, each: Traffic[number]): Traffic {
  return Array.from({ length: nodes }, () => each);
}

const days: Record<string, Day> = {
  "two nodes, evenly": {
    limit: 60,
    traffic: evenly(2, { perSecond: 10, fromMs: 0, toMs: 9_000 }),
    tripMs: 4,
  },
  "five nodes and a slow database": {
    limit: 100,
    traffic: evenly(5, { perSecond: 6, fromMs: 0, toMs: 9_000 }),
    tripMs: 60,
  },
  "one that takes all, and one that wakes when nothing is left": {
    limit: 80,
    traffic: [
      { perSecond: 80, fromMs: 0, toMs: 2_000 },
      { perSecond: 20, fromMs: 3_000, toMs: 6_000 },
    ],
    tripMs: 10,
  },
  "more than the limit within one rest": {
    limit: 40,
    traffic: evenly(3, { perSecond: 800, fromMs: 0, toMs: 1_500 }),
    tripMs: 6,
  },
};

for (const [says, day] of Object.entries(days)) {
  for (const seed of [1, 2, 3]) {
    test(`beyond the limit each node admits at most what comes to it in two exchanges: ${says}, seed ${seed}`, async (context) => {
      const { limit, tripMs } = day;
      const { arrivals, admitted } = await play(context, day, chance(seed));
      const all = admitted.flat().toSorted((a, b) => a - b);
      const fullAt = all[limit - 1];
      assert.ok(fullAt !== undefined, `the limit was reached: ${all.length}`);
      const staleMs = 2 * restMs + 4 * tripMs + 4;
      let bound = 0;
      for (const [node, times] of admitted.entries()) {
        const beyond = times.filter((time) => time > fullAt).length;
        const most = Math.min(limit, mostWithin(arrivals[node] ?? [], staleMs));
        assert.ok(beyond <= most, `node ${node} let ${beyond} through, at most ${most} were to be expected`);
        assert.ok(times.length <= limit, "a node never exceeds the limit by itself");
        bound += most;
      }
      context.diagnostic(`${all.length - limit} beyond a limit of ${limit}; the bound is ${bound}`);
    });
  }
}
