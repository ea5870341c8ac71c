import assert from "node:assert/strict";
import { test } from "node:test";
import { createLoop } from "./loop.ts";

test("a look that fails does not count as one", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 1_000;
  let isAway = true;
  const failures: unknown[] = [];
  const look = () => (isAway ? Promise.reject(new Error("away")) : Promise.resolve("nothing" as const));
  const loop = createLoop({ look, clock: () => now, failed: (error) => failures.push(error), longestRestMs: 400 });
  const pass = async (ms: number) => {
    now += ms;
    context.mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  loop.start();
  await pass(0);
  await pass(1_000);
  assert.deepEqual([failures.length, loop.lastLookAt()], [2, 1_000]);
  isAway = false;
  await pass(1_000);
  assert.equal(loop.lastLookAt(), 3_000);
  await loop.stop();
});

test("looks that find nothing slow down to the longest rest, and a wake makes them quick again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const looks: number[] = [];
  const look = async () => {
    looks.push(now);
    return "nothing" as const;
  };
  const loop = createLoop({ look, clock: () => now, failed: () => undefined, longestRestMs: 400 });
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at++) {
      now++;
      context.mock.timers.tick(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  loop.start();
  await pass(3_000);
  const rests = looks.slice(1).map((at, place) => at - (looks[place] ?? 0));
  assert.ok((rests[0] ?? 0) < 140 && Math.max(...rests) <= 401 && (rests.at(-1) ?? 0) >= 399, rests.join());
  const before = looks.length;
  loop.wake();
  await pass(150);
  assert.ok(looks.length >= before + 2, "it looks at once, and again soon");
  await loop.stop();
});
