import assert from "node:assert/strict";
import { test } from "node:test";
import { createChance, hashText } from "./chance.ts";

const draw = (...seeds: (string | number)[]): number[] => {
  const chance = createChance(...seeds);
  return Array.from({ length: 50 }, () => chance.next());
};

test("the same seeds give the same sequence and others a different one", () => {
  assert.deepEqual(draw("a", 1), draw("a", 1));
  assert.notDeepEqual(draw("a", 1), draw("a", 2));
  assert.notDeepEqual(draw("ab", "c"), draw("a", "bc"));
});

test("a branch does not depend on what was drawn before it", () => {
  const fresh = createChance("song").branch("drums").next();
  const used = createChance("song");
  for (let count = 0; count < 10; count++) used.next();
  assert.equal(used.branch("drums").next(), fresh);
});

test("draws spread evenly between 0 and 1", () => {
  const chance = createChance("spread");
  const buckets = Array.from({ length: 10 }, () => 0);
  for (let count = 0; count < 10_000; count++) {
    const value = chance.next();
    assert.ok(value >= 0 && value < 1);
    buckets[Math.floor(value * 10)] = (buckets[Math.floor(value * 10)] ?? 0) + 1;
  }
  for (const count of buckets) assert.ok(count > 850 && count < 1150, `a tenth of the range got ${count} of 10,000 draws`);
});

test("whole numbers reach both ends of their range", () => {
  const chance = createChance("whole");
  const seen = new Set(Array.from({ length: 200 }, () => chance.whole(3, 6)));
  assert.deepEqual(
    [...seen].toSorted((a, b) => a - b),
    [3, 4, 5, 6],
  );
});

test("texts that differ in one letter have hashes far apart", () => {
  const hashes = new Set(Array.from({ length: 1000 }, (_, index) => hashText(`task ${index}`) % 4096));
  assert.ok(hashes.size > 850, `1,000 texts fell into only ${hashes.size} of 4,096 places`);
});
