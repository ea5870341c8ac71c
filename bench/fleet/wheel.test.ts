import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "./random.ts";
import { createWheel } from "./wheel.ts";

const end = 1e9;

test("events come in the order of their times, and equals in the order of scheduling", () => {
  const wheel = createWheel(10);
  for (const [id, at] of [
    [0, 50],
    [1, 10],
    [2, 50],
    [3, 49.5],
    [4, 0],
  ] as const)
    wheel.schedule(id, at);
  const seen = Array.from({ length: 5 }, () => [wheel.next(end), wheel.now()]);
  assert.deepEqual(seen, [
    [4, 0],
    [1, 10],
    [0, 50],
    [2, 50],
    [3, 50],
  ]);
  assert.equal(wheel.next(end), -1);
});

test("an id has one event: the last that was scheduled, or none", () => {
  const wheel = createWheel(3);
  wheel.schedule(0, 5);
  wheel.schedule(1, 5);
  wheel.schedule(0, 7);
  wheel.schedule(2, 6);
  wheel.cancel(2);
  assert.equal(wheel.size(), 2);
  assert.deepEqual([wheel.next(end), wheel.next(end), wheel.now(), wheel.next(end)], [1, 0, 7, -1]);
});

test("what lies further ahead than the wheel is long waits for its own turn", () => {
  const wheel = createWheel(2);
  wheel.schedule(0, 3_000_000);
  wheel.schedule(1, 3_000_000 - 131_072);
  assert.deepEqual([wheel.next(end), wheel.now()], [1, 3_000_000 - 131_072]);
  assert.deepEqual([wheel.next(end), wheel.now()], [0, 3_000_000]);
});

test("what is scheduled in the past comes next, and nothing comes after the end", () => {
  const wheel = createWheel(3);
  wheel.schedule(0, 100);
  assert.equal(wheel.next(end), 0);
  wheel.schedule(1, 20);
  wheel.schedule(2, 500);
  assert.deepEqual([wheel.next(200), wheel.now()], [1, 100]);
  assert.deepEqual([wheel.next(200), wheel.now(), wheel.size()], [-1, 200, 1]);
});

test("it agrees with a sorted list, whatever is scheduled and cancelled", () => {
  const random = createRandom(7);
  const wheel = createWheel(50);
  const known = new Map<number, { at: number; turn: number }>();
  for (let turn = 0; turn < 20_000; turn++) {
    const id = Math.floor(random.unit() * 50);
    const act = random.unit();
    if (act < 0.5) {
      const at = wheel.now() + Math.floor(random.unit() * 400_000 * random.unit() ** 4);
      wheel.schedule(id, at);
      known.set(id, { at, turn });
    } else if (act < 0.6) {
      wheel.cancel(id);
      known.delete(id);
    } else if (known.size > 0) {
      const first = [...known].toSorted(([, a], [, b]) => a.at - b.at || a.turn - b.turn)[0];
      assert.deepEqual([wheel.next(1e12), wheel.now()], [first?.[0], first?.[1].at]);
      known.delete(first?.[0] ?? -1);
    }
    assert.equal(wheel.size(), known.size);
  }
});
