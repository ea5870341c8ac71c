import assert from "node:assert/strict";
import { test } from "node:test";
import { planScene } from "./scene-plan.ts";

const outline = (prompt: string, seed = 0): string => {
  const { place, hour, weather, subjects, palette, pace, light } = planScene(prompt, seed);
  return JSON.stringify({ place, hour, weather, subjects, palette, pace, light });
};

test("the words of a prompt choose place, time, weather and subjects", () => {
  const harbour = planScene("A stormy sea at night with ships and seagulls");
  assert.equal(harbour.place, "sea");
  assert.equal(harbour.hour, "night");
  assert.equal(harbour.weather, "storm");
  assert.deepEqual(harbour.subjects, ["boat", "birds"]);
  assert.equal(planScene("horses running through the desert").place, "desert");
  assert.equal(planScene("a fish").place, "underwater");
});

test("a colour word turns the sky towards it", () => {
  const { skyMiddle } = planScene("green sea at noon").palette;
  assert.ok(skyMiddle.h > 90 && skyMiddle.h < 190, `the hue is ${skyMiddle.h}`);
});

test("the same prompt and seed plan the same scene; another seed or an unknown word another one", () => {
  assert.equal(outline("quiet lake"), outline("quiet lake"));
  assert.notEqual(outline("quiet lake"), outline("quiet lake", 1));
  assert.notEqual(outline("quiet lake"), outline("quiet lake zorblax"));
});

test("prompts without any known word still differ from one another", () => {
  const scenes = new Set(Array.from({ length: 40 }, (_, index) => planScene(`qwx${index}`).place));
  assert.ok(scenes.size >= 6, `40 prompts led to only ${scenes.size} places`);
});
