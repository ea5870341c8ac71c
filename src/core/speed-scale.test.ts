import assert from "node:assert/strict";
import { test } from "node:test";
import { msOf, percentile, stepOf } from "./speed-scale.ts";

test("two steps of the scale double a time, and a step holds what is not longer than it says", () => {
  assert.deepEqual([0, 0.3, 1, 1.4, 1.5, 2, 2.1, 4, 1_000, 1_024, 1_025].map(stepOf), [0, 0, 0, 1, 2, 2, 3, 4, 20, 20, 21]);
  for (let ms = 1; ms < 1e9; ms *= 1.07) {
    const step = stepOf(ms);
    assert.ok(ms <= msOf(step) * (1 + 1e-12) && (step === 0 || ms > msOf(step - 1) * (1 - 1e-12)), `${ms} is not in step ${step}`);
  }
});

test("times beyond the scale, and those of clocks that went back, stay on it", () => {
  assert.equal(stepOf(Number.MAX_SAFE_INTEGER), 60);
  assert.equal(stepOf(-5), 0);
});

test("the percentiles of many times are within a step of the true ones, and grow with the share", () => {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const times = Array.from({ length: 5_000 }, () => Math.exp(random() * 10)).sort((a, b) => a - b);
  const histogram = new Map<number, number>();
  for (const ms of times) histogram.set(stepOf(ms), (histogram.get(stepOf(ms)) ?? 0) + 1);
  let before = 0;
  for (const share of [0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 1]) {
    const told = percentile(histogram, share) ?? Number.NaN;
    const exact = times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0;
    assert.ok(told >= before, `${share}`);
    assert.ok(Math.abs(stepOf(told) - stepOf(exact)) <= 1, `${share}: ${told} for ${exact}`);
    before = told;
  }
});

test("times within a step are taken to lie evenly in it", () => {
  assert.equal(percentile(new Map([[4, 10]]), 0.5), msOf(3) + (4 - msOf(3)) / 2);
  assert.equal(
    percentile(
      new Map([
        [0, 4],
        [2, 4],
      ]),
      0.5,
    ),
    1,
  );
  assert.equal(
    percentile(
      new Map([
        [0, 4],
        [2, 4],
      ]),
      1,
    ),
    2,
  );
});

test("nothing has no percentiles", () => {
  assert.equal(percentile(new Map(), 0.5), null);
  assert.equal(percentile(new Map([[3, 0]]), 0.5), null);
});
