import assert from "node:assert/strict";
import { test } from "node:test";
import { createTally } from "./tally.ts";

test("a minute begins with its first count and ends a minute later", () => {
  let now = 5_000;
  const tally = createTally(() => now);
  tally.add("a", 2);
  now += 59_999;
  tally.add("a", 3);
  assert.deepEqual(tally.minute("a"), { used: 5, leftMs: 1 });
  assert.deepEqual(tally.minute("b"), { used: 0, leftMs: 60_000 });
  now += 1;
  assert.deepEqual(tally.minute("a"), { used: 0, leftMs: 60_000 });
});

test("minutes of the clock begin with it", () => {
  let now = 65_000;
  const tally = createTally(
    () => now,
    (at) => at - (at % 60_000),
  );
  tally.add("a", 1);
  assert.deepEqual(tally.minute("a"), { used: 1, leftMs: 55_000 });
  now = 120_000;
  assert.deepEqual(tally.minute("a"), { used: 0, leftMs: 60_000 });
});

test("a clock that is set back does not make a minute longer", () => {
  let now = 500_000;
  const tally = createTally(() => now);
  tally.add("a", 7);
  now = 1_000;
  assert.deepEqual(tally.minute("a"), { used: 0, leftMs: 60_000 });
});

test("what runs is counted until it leaves, however many minutes that takes", () => {
  let now = 0;
  const tally = createTally(() => now);
  tally.enter("a");
  tally.enter("a");
  now += 1_000_000;
  assert.equal(tally.running("a"), 2);
  tally.leave("a");
  assert.equal(tally.running("a"), 1);
  tally.leave("a");
  tally.leave("a");
  assert.equal(tally.running("a"), 0, "never below zero");
});

test("names whose minute is over are forgotten when many come, and those that run something are not", () => {
  let now = 0;
  const tally = createTally(() => now);
  tally.enter("runs");
  const before = process.memoryUsage().heapUsed;
  for (let name = 0; name < 400_000; name++) {
    if (name % 1_000 === 0) now += 60_000;
    tally.add(`key ${name}`, 1);
  }
  assert.ok(process.memoryUsage().heapUsed - before < 40_000_000, "400,000 names were not kept");
  assert.equal(tally.running("runs"), 1);
  assert.equal(tally.minute("key 399999").used, 1);
});
