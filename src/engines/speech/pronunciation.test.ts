import assert from "node:assert/strict";
import { test } from "node:test";
import { pronounce } from "./pronunciation.ts";

const dictionary = new Map([
  ["A", ["AH0"]],
  ["P", ["P", "IY1"]],
  ["I", ["AY1"]],
  ["HELLO", ["HH", "AH0", "L", "OW1"]],
  ["DON'T", ["D", "OW1", "N", "T"]],
  ["VERY", ["V", "EH1", "R", "IY0"]],
]);
const guess = { pronounce: (letters: string) => [`<${letters}>`] };
const say = (sentence: string) => pronounce(sentence, dictionary, guess).phones.slice(1, -1).join(" ");

test("known words are looked up, with their stress", () => {
  assert.deepEqual(pronounce("Hello.", dictionary, guess), {
    phones: ["_", "hh", "ah", "l", "ow", ".", "_"],
    tones: [0, 0, 1, 0, 2, 0, 0],
  });
  assert.equal(say("don't"), "d ow n t");
  assert.equal(say("very"), "V eh r iy");
});

test("unknown words are guessed, part by part where they have parts", () => {
  assert.equal(say("genway"), "<genway>");
  assert.equal(say("hello-genway"), "hh ah l ow <genway>");
  assert.equal(say("a".repeat(60)).split(" ").length, 3);
});

test("initials are spelled, and a shouted sentence is not", () => {
  assert.equal(say("an API"), "<an> ey p iy ay");
  assert.equal(say("the APIs"), "<the> ey p iy ay z");
  assert.equal(say("HELLO VERY"), "hh ah l ow V eh r iy");
});
