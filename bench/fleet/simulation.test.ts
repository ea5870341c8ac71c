import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsOf } from "./bounds.ts";
import { dispatcher } from "./constants.ts";
import { looksPerSecond } from "./looks.ts";
import { usualScenario, type Scenario } from "./scenario.ts";
import { simulate } from "./simulation.ts";

const small: Scenario = {
  ...usualScenario,
  nodes: 4,
  tasks: 200_000,
  hours: 1,
  fromHour: 13,
  nodeLifeHours: 0.5,
  bursts: [{ fromHour: 13.5, minutes: 5, tasks: 1_000 }],
  outages: [{ provider: "kling", fromHour: 13.1, minutes: 10 }],
};

test("nothing is lost while nodes die and an upstream is out", () => {
  for (const seed of [1, 2, 3]) {
    // A simulation ends with an error where a task is missing or a slot is counted wrongly.
    const { counts, underWay } = simulate({ ...small, seed });
    assert.equal(counts.accepted, counts.succeeded + counts.failed + underWay);
    assert.ok(counts.deaths > 0 && counts.orphans > 0 && counts.failovers > 0, JSON.stringify(counts));
  }
});

test("the same seed gives the same figures, another one gives others", () => {
  assert.deepEqual(simulate(small), simulate(small));
  assert.notDeepEqual(simulate(small), simulate({ ...small, seed: 2 }));
});

test("what nodes had in hand when they died goes on within a lease", () => {
  const { recoveries } = simulate(small);
  const { leaseMs } = dispatcher;
  assert.ok(recoveries.most > 0.7 * leaseMs && recoveries.most <= leaseMs, String(recoveries.most));
});

test("a part of the fleet tells nearly the same as the whole", () => {
  const calm = { ...small, nodes: 8, tasks: 2_000_000, bursts: [], outages: [] };
  const [whole, part] = [simulate(calm), simulate({ ...calm, scale: 0.25 })];
  for (const name of ["accepted", "polls", "mib"] as const) isNear(part.counts[name], whole.counts[name], 0.1, name);
  isNear(part.sums.commits, whole.sums.commits, 0.1, "commits");
  isNear(part.meanNodeCpu, whole.meanNodeCpu, 0.1, "processor");
});

test("twice the load is twice the writes, and fills every bound that grows with it", () => {
  const calm = { ...small, bursts: [], outages: [], nodeLifeHours: 1e6 };
  const [one, two] = [simulate(calm), simulate({ ...calm, tasks: 2 * calm.tasks })];
  isNear(two.sums.items, 2 * one.sums.items, 0.15, "items");
  assert.ok(two.sums.commits < 2 * one.sums.commits, "more load shares more commits");
  const used = new Map(boundsOf(one, calm).map((bound) => [bound.name, bound.used]));
  // Polls are the later the less there is to do: loops that find nothing rest longer.
  const growing = boundsOf(two, calm).filter(({ name }) => name !== "polls of a node");
  for (const bound of growing) assert.ok(bound.used >= (used.get(bound.name) ?? 0) * 0.9, bound.name);
});

test("an account that asks for much at once does not make the others wait", () => {
  const bursts = [{ fromHour: 13.2, minutes: 5, tasks: 20_000 }];
  const { waits, othersWaits, counts } = simulate({ ...small, tasks: 2_000_000, hours: 0.75, outages: [], bursts });
  assert.ok(waits.p99 > 600_000 && counts.expired > 0, "the burst itself waits");
  assert.ok(othersWaits.most < 10_000, `somebody else waited ${othersWaits.most} ms`);
  assert.equal(counts.othersExpired, 0);
});

test("a loop that finds nothing rests longer and longer, one that finds something a tenth of a second, and one that is always woken no more than it must", () => {
  assert.equal(looksPerSecond(0, 0).toFixed(1), "2.5");
  assert.equal(looksPerSecond(0, 10).toFixed(1), "10.0");
  const some = looksPerSecond(0, 2);
  assert.ok(some > 2.5 && some < 10, String(some));
  assert.equal(looksPerSecond(1e4, 0).toFixed(1), "40.0");
});

test("an upstream that is asked about many jobs at once is asked about those that are due in a moment, too", () => {
  const { lanes } = simulate({ ...small, tasks: 2_000_000, bursts: [], outages: [] });
  const many = lanes.filter(({ jobsPerRequest }) => jobsPerRequest > 1.5);
  assert.ok(many.length > 0, lanes.map(({ name, jobsPerRequest }) => `${name} ${jobsPerRequest.toFixed(2)}`).join(", "));
});

test("a note is heard by every other node", () => {
  const calm = { ...small, bursts: [], outages: [], nodeLifeHours: 1e6 };
  const [few, many] = [simulate(calm), simulate({ ...calm, nodes: 8 })];
  isNear(many.sums.heard / few.sums.heard, 7 / 3, 0.1, "notes that were heard");
});

function isNear(value: number, wanted: number, share: number, name: string): void {
  assert.ok(Math.abs(value - wanted) <= wanted * share, `${name}: ${value} is not near ${wanted}`);
}
