import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createCallGate } from "./call-gate.ts";
import { restMs } from "./exchange-rhythm.ts";
import { lapseMs, type FleetTally } from "./fleet-tally.ts";
import { virtualFleet, type VirtualFleet } from "./fleet-tally.fixture.ts";

type Two = { fleet: VirtualFleet; one: FleetTally; other: FleetTally };

function two(context: TestContext, aheadMs: readonly number[] = [0, 0]): Two {
  const fleet = virtualFleet(context, aheadMs);
  const [one, other] = fleet.nodes;
  assert.ok(one !== undefined && other !== undefined);
  return { fleet, one, other };
}

/** Counts one and asks how the minute stands, as a request does. */
function count(tally: FleetTally, name: string): number {
  tally.add(name, 1);
  return tally.minute(name).used;
}

/** What a node knows once it has asked and heard. */
async function known(fleet: VirtualFleet, ask: () => number): Promise<number> {
  ask();
  await fleet.pass(restMs + 2);
  return ask();
}

test("a node knows its own counts at once, and those of the others after an exchange", async (context) => {
  const { fleet, one, other } = two(context);
  for (let request = 1; request <= 5; request++) assert.equal(count(one, "a"), request);
  assert.equal(count(other, "a"), 1, "not heard yet");
  await fleet.pass(2);
  assert.equal(other.minute("a").used, 6);
  assert.equal(await known(fleet, () => one.minute("a").used), 6);
  assert.equal(await known(fleet, () => one.minute("b").used), 0);
});

test("whatever is said twice counts once", async (context) => {
  const { fleet, one, other } = two(context);
  count(one, "a");
  for (let round = 0; round < 5; round++) {
    one.minute("a");
    other.minute("a");
    await fleet.pass(restMs + 1);
  }
  assert.deepEqual([one.minute("a").used, other.minute("a").used], [1, 1]);
});

test("the next minute of the clock begins at zero everywhere", async (context) => {
  const { fleet, one, other } = two(context);
  count(one, "a");
  await fleet.pass(restMs);
  assert.equal(await known(fleet, () => other.minute("a").used), 1);
  context.mock.timers.setTime(660_000);
  for (const node of [one, other]) assert.deepEqual(node.minute("a"), { used: 0, leftMs: 60_000 });
  assert.equal(await known(fleet, () => other.minute("a").used), 0);
});

test("a node whose clock is ahead takes nothing away from the minute of the others", async (context) => {
  const { fleet, one, other } = two(context, [0, 2_000]);
  count(other, "a");
  count(other, "a");
  await fleet.pass(restMs);
  assert.equal(await known(fleet, () => one.minute("a").used), 2);
  context.mock.timers.setTime(658_500);
  count(other, "a");
  await fleet.pass(2 * restMs);
  assert.equal(fleet.requests.at(-1)?.minute, 660_000, "the other is in the next minute");
  assert.equal(await known(fleet, () => one.minute("a").used), 2);
});

test("nothing is exchanged while nothing happens, and what nobody limits is never exchanged", async (context) => {
  const { fleet, one } = two(context);
  await fleet.pass(1_000);
  one.add("free", 1);
  one.enter("free");
  one.leave("free");
  await fleet.pass(1_000);
  assert.equal(fleet.requests.length, 0);
  count(one, "a");
  await fleet.pass(10_000);
  assert.equal(fleet.requests.length, 1);
});

test("however many requests come, a node exchanges four times a second at most, all names in one go", async (context) => {
  const { fleet, one } = two(context);
  for (let ms = 0; ms < 2_000; ms++) {
    count(one, `key ${ms % 40}`);
    await fleet.pass(1);
  }
  assert.ok(fleet.requests.length <= 1 + 2_000 / restMs, `${fleet.requests.length} exchanges`);
  assert.equal(fleet.requests[3]?.counts.length, 40);
});

test("more names than fit into one commit are said in several, one after the other, and then there is a rest", async (context) => {
  const { fleet, one } = two(context);
  for (let key = 0; key < 1_300; key++) count(one, `key ${key}`);
  await fleet.pass(5);
  assert.deepEqual(
    fleet.requests.map(({ counts }) => counts.length),
    [512, 512, 276],
  );
  for (let ms = 0; ms < 1_000; ms += 5) {
    for (let key = 0; key < 1_300; key++) one.minute(`key ${key}`);
    await fleet.pass(5);
  }
  assert.ok(fleet.requests.length <= 3 * 6, `${fleet.requests.length} commits in a second`);
  assert.equal(new Set(fleet.requests.flatMap(({ counts }) => counts.map(({ name }) => name))).size, 1_300);
});

test("what runs elsewhere counts as long as its node says so, and it goes on to say so by itself", async (context) => {
  const { fleet, one, other } = two(context);
  assert.equal(one.running("a"), 0);
  one.enter("a");
  one.enter("a");
  await fleet.pass(restMs);
  assert.equal(await known(fleet, () => other.running("a")), 2);
  await fleet.pass(3 * lapseMs);
  assert.equal(await known(fleet, () => other.running("a")), 2);
  one.leave("a");
  await fleet.pass(restMs + 2);
  assert.equal(await known(fleet, () => other.running("a")), 1);
  one.leave("a");
  await fleet.pass(2 * restMs);
  const { length } = fleet.requests;
  await fleet.pass(3 * lapseMs);
  assert.equal(fleet.requests.length, length, "there is nothing more to say");
});

test("what a busy node runs for long does not lapse because of other names", async (context) => {
  const { fleet, one, other } = two(context);
  one.running("long");
  one.enter("long");
  for (let ms = 0; ms < 2 * lapseMs; ms += 50) {
    count(one, "busy");
    await fleet.pass(50);
  }
  assert.equal(await known(fleet, () => other.running("long")), 1);
});

test("what a node that died has said lapses", async (context) => {
  const { fleet, one, other } = two(context);
  one.running("a");
  one.enter("a");
  await fleet.pass(restMs);
  // It is never heard of again.
  await one.close();
  assert.equal(await known(fleet, () => other.running("a")), 1);
  await fleet.pass(lapseMs);
  assert.equal(await known(fleet, () => other.running("a")), 0);
});

test("a node that closes tells the others what has ended there", async (context) => {
  const { fleet, one, other } = two(context);
  one.running("a");
  one.enter("a");
  await fleet.pass(5);
  one.leave("a");
  await one.close();
  assert.equal(await known(fleet, () => other.running("a")), 0);
});

test("without the table each goes on with what it knows, and hears the rest once it is back", async (context) => {
  const { fleet, one, other } = two(context);
  for (let request = 0; request < 3; request++) count(other, "a");
  await fleet.pass(restMs);
  assert.equal(await known(fleet, () => one.minute("a").used), 3);
  fleet.isDown = true;
  fleet.contacts.length = 0;
  for (let request = 0; request < 5; request++) count(other, "a");
  assert.equal(other.minute("a").used, 8);
  assert.equal(await known(fleet, () => one.minute("a").used), 3);
  const { length } = fleet.requests;
  await fleet.pass(12_000);
  assert.ok(fleet.requests.length - length <= 2 * 6, `${fleet.requests.length - length} tries in 12 seconds of two nodes`);
  assert.equal(fleet.contacts.includes(true), false);
  fleet.isDown = false;
  await fleet.pass(4_000);
  assert.equal(fleet.contacts.at(-1), true);
  assert.equal(await known(fleet, () => one.minute("a").used), 8);
});

test("what is allowed at a provider holds over all nodes", async (context) => {
  const { fleet, one, other } = two(context);
  const [here, there] = [createCallGate(one), createCallGate(other)];
  const limits = { concurrent: 2, perMinute: 3 };
  const tryTwice = async (gate: typeof here) => {
    // The first try asks; it is refused so that it takes nothing.
    assert.equal(gate.enter("p/k", { concurrent: 0, perMinute: null }), false);
    await fleet.pass(restMs + 2);
    return gate.enter("p/k", limits);
  };
  assert.deepEqual([here.enter("p/k", limits), here.enter("p/k", limits), here.enter("p/k", limits)], [true, true, false]);
  await fleet.pass(restMs + 2);
  assert.equal(await tryTwice(there), false, "two run elsewhere");
  assert.equal(there.enter("p/other", limits), true, "another key is another place");
  here.leave("p/k");
  await fleet.pass(restMs + 2);
  assert.equal(await tryTwice(there), true, "one has left");
  here.leave("p/k");
  await fleet.pass(restMs + 2);
  assert.equal(await tryTwice(here), false, "the minute has had its three");
});
