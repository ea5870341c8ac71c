import assert from "node:assert/strict";
import { test } from "node:test";
import { createChance } from "../chance.ts";
import { figuresIn, sceneryPrompt } from "./sitter.ts";
import { planStill } from "./still-scene.ts";

const names = (prompt: string, alone = false): string[] => figuresIn(prompt, createChance("test"), alone).map(({ name }) => name);

test("figures come in the order of the prompt, one for each animal that it names", () => {
  assert.deepEqual(names("A fox and two rabbits"), ["fox", "rabbit"]);
  assert.deepEqual(names("a white siamese cat"), ["siamese"]);
  assert.deepEqual(names("a panda bear"), ["panda"]);
  assert.deepEqual(names("the letters s and y"), []);
  assert.deepEqual(names("a rose"), []);
  assert.deepEqual(names("a rose", true), ["flower"]);
});

test("a figure's colour and haunts do not decide its surroundings when the prompt names others", () => {
  assert.equal(sceneryPrompt("a blue owl in the desert"), "a in the desert");
  assert.equal(planStill("a girl walking her dog on the beach", 1).plan.place, "sea");
  assert.equal(planStill("a dog", 1).plan.place, "hills");
});

test("things without a landscape are shown indoors", () => {
  assert.ok(planStill("a cup of coffee", 1).indoors);
  assert.ok(planStill("portrait of a cat", 1).indoors);
  assert.ok(!planStill("a robot in the desert", 1).indoors);
  assert.ok(!planStill("a cat", 1).indoors);
});
