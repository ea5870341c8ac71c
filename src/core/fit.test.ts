import assert from "node:assert/strict";
import { test } from "node:test";
import { fitRoute } from "./fit.ts";
import type { TaskInput } from "./kinds.ts";
import type { KindLimits } from "./provider.ts";

const video = (durationSeconds: number, isDefaultDuration: boolean): TaskInput => ({
  kind: "video",
  input: { prompt: "a fox", durationSeconds, isDefaultDuration, aspectRatio: { width: 16, height: 9 } },
});
const picture = (count: number, grid: boolean): TaskInput => ({
  kind: "image",
  input: { act: "generate", prompt: "a fox", images: [], count, grid },
});

const fit = (task: TaskInput, limits: KindLimits) => fitRoute(task, () => limits, "m", undefined);

function secondsOf(fitted: ReturnType<typeof fit>): number | null {
  return "kind" in fitted && fitted.kind === "video" ? fitted.input.durationSeconds : null;
}

test("a duration that nobody asked for moves to the nearest a model can make", () => {
  assert.equal(secondsOf(fit(video(5, true), { durations: [4, 8] })), 4);
  assert.equal(secondsOf(fit(video(5, true), { durations: { min: 6, max: 10 } })), 6);
});

test("a duration that was asked for is refused, never moved", () => {
  const refused = fit(video(5, false), { durations: [4, 8] });
  assert.equal("says" in refused && refused.param, "duration");
});

test("an aspect ratio outside a model's list names what there is", () => {
  const refused = fit(video(5, false), { aspectRatios: ["1:1", "9:16"] });
  assert.match("says" in refused ? refused.says : "", /1:1, 9:16/);
});

test("what the operator says of a model goes before what the adapter says", () => {
  assert.ok("kind" in fitRoute(video(5, false), () => ({ durations: [4] }), "m", { durations: [5] }));
});

test("only acts that a model lists can be asked of it, and making pictures needs no listing", () => {
  assert.ok("kind" in fit(picture(1, false), {}));
  const swap: TaskInput = { kind: "image", input: { act: "swap", prompt: "", images: [], count: 1, grid: false } };
  const refused = fit(swap, { acts: ["generate", "edit"] });
  assert.deepEqual(refused, { param: "model", says: "This model cannot swap faces." });
});

test("more pictures than a model makes at once are refused, unless they are only wanted as a grid", () => {
  assert.ok("says" in fit(picture(4, false), { count: 1 }));
  const grid = fit(picture(4, true), { count: 2 });
  assert.equal("kind" in grid && grid.kind === "image" && grid.input.count, 2);
});
