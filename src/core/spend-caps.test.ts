import assert from "node:assert/strict";
import { test } from "node:test";
import { noLimits } from "./accounts.ts";
import type { Key } from "./records.ts";
import { createSpendCaps } from "./spend-caps.ts";

function keyWith(spendCapNanos: number | null, spentNanos = 0): Key {
  return { id: "k", spentNanos, limits: { ...noLimits, spendCapNanos } } as Key;
}

test("a key without a cap has none, and neither has nobody", () => {
  const caps = createSpendCaps(true);
  assert.equal(caps.of(null), null);
  assert.equal(caps.of(keyWith(null)), null);
});

test("what is spent and what is set aside count together", () => {
  const caps = createSpendCaps(false);
  const cap = caps.of(keyWith(100, 30));
  assert.equal(cap?.left(), 70);
  if (cap !== null) cap.reserved += 50;
  assert.equal(caps.of(keyWith(100, 30))?.left(), 20);
  caps.spent("k", 60);
  assert.equal(cap?.left(), -10);
});

test("alone, what commits tell is newer than what was read with the key", () => {
  const caps = createSpendCaps(false);
  assert.equal(caps.of(keyWith(100))?.left(), 100);
  caps.spent("k", 80);
  assert.equal(caps.of(keyWith(100, 10))?.left(), 20);
});

test("among nodes, what others spend is learned when the key is read anew", () => {
  const caps = createSpendCaps(true);
  const key = keyWith(100);
  assert.equal(caps.of(key)?.left(), 100);
  caps.spent("k", 20);
  assert.equal(caps.of(key)?.left(), 80, "the same reading is no news");
  assert.equal(caps.of(keyWith(100, 95))?.left(), 5);
  assert.equal(caps.of(keyWith(100, 40))?.left(), 60, "a hold that another node gave back");
});

test("what is set aside stays so when the key is read anew", () => {
  const caps = createSpendCaps(true);
  const cap = caps.of(keyWith(100));
  if (cap !== null) cap.reserved += 70;
  assert.equal(caps.of(keyWith(100, 10))?.left(), 20);
});

test("a cap that the operator changes counts with the next reading", () => {
  const caps = createSpendCaps(false);
  assert.equal(caps.of(keyWith(100))?.left(), 100);
  assert.equal(caps.of(keyWith(30))?.left(), 30);
  assert.equal(caps.of(keyWith(null)), null);
});
