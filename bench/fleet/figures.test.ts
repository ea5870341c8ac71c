import assert from "node:assert/strict";
import { test } from "node:test";
import { createHistogram } from "./histogram.ts";
import { createLot, createRandom } from "./random.ts";
import { createRankQueue } from "./rank-queue.ts";

test("quantiles are right to two per cent", () => {
  const times = createHistogram();
  for (let ms = 1; ms <= 10_000; ms++) times.add(ms);
  for (const share of [0.5, 0.95, 0.99])
    assert.ok(Math.abs(times.quantile(share) / (share * 10_000) - 1) < 0.02, String(times.quantile(share)));
  assert.equal(times.most(), 10_000);
  assert.equal(createHistogram().quantile(0.5), 0);
});

test("chance has the middle and the weights that were asked for", () => {
  const random = createRandom(3);
  const draws = Array.from({ length: 20_000 }, () => random.lognormal(100, 0.5)).toSorted((a, b) => a - b);
  assert.ok(Math.abs((draws[10_000] ?? 0) - 100) < 3, String(draws[10_000]));
  const lot = createLot([1, 0, 3]);
  const counts = [0, 0, 0];
  for (let draw = 0; draw < 20_000; draw++) {
    const place = lot(random);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  assert.equal(counts[1], 0);
  assert.ok(Math.abs((counts[2] ?? 0) / 20_000 - 0.75) < 0.02, String(counts));
});

test("a queue serves the lowest rank first, equals in the order they came, and forgets who was dropped", () => {
  const queue = createRankQueue();
  for (const [id, rank] of [
    [1, 5],
    [2, 3],
    [3, 5],
    [4, 1],
    [5, 3],
  ] as const)
    queue.push(id, rank);
  assert.deepEqual(
    queue.drop((id) => id === 2),
    [2],
  );
  assert.deepEqual(
    Array.from({ length: 5 }, () => queue.pop()),
    [4, 5, 1, 3, -1],
  );
});
