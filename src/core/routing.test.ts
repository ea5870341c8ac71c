import assert from "node:assert/strict";
import { test } from "node:test";
import type { TaskInput } from "./kinds.ts";
import { fitted, misfit, orderRoutes } from "./routing.ts";

const video = (durationSeconds: number, isDefaultDuration: boolean): TaskInput => ({
  kind: "video",
  input: { prompt: "a fox", durationSeconds, isDefaultDuration, aspectRatio: { width: 16, height: 9 } },
});

const secondsOf = (task: TaskInput) => (task.kind === "video" ? task.input.durationSeconds : null);

test("a duration that nobody asked for moves to the nearest a model can make", () => {
  assert.equal(secondsOf(fitted(video(5, true), { durations: [4, 8] })), 4);
  assert.equal(secondsOf(fitted(video(5, true), { durations: { min: 6, max: 10 } })), 6);
});

test("a duration that was asked for is refused, never moved", () => {
  const limits = { durations: [4, 8] };
  assert.equal(secondsOf(fitted(video(5, false), limits)), 5);
  assert.equal(misfit(fitted(video(5, false), limits), limits)?.param, "duration");
});

test("an aspect ratio outside a model's list names what there is", () => {
  assert.match(misfit(video(5, false), { aspectRatios: ["1:1", "9:16"] })?.says ?? "", /1:1, 9:16/);
});

test("the lowest priority number goes first, and weights decide inside", () => {
  const route = (provider: string, priority: number, weight: number) => ({ provider, model: "m", priority, weight });
  const routes = [route("backup", 1, 100), route("heavy", 0, 9), route("light", 0, 1)];
  const random = fixedRandom();
  const firsts = Array.from({ length: 2_000 }, () => orderRoutes(routes, random)[0]?.provider);
  const heavy = firsts.filter((name) => name === "heavy").length / firsts.length;
  assert.ok(!firsts.includes("backup"));
  assert.ok(heavy > 0.85 && heavy < 0.95, `heavy came first in ${heavy}`);
});

function fixedRandom(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
