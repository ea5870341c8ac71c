import assert from "node:assert/strict";
import { test } from "node:test";
import { mentions, vocabulary, wordsOf } from "./words.ts";

test("words are found in any script, without punctuation", () => {
  assert.deepEqual(wordsOf("Café, 2 Wölfe… and a fox!"), ["café", "2", "wölfe", "and", "a", "fox"]);
  assert.ok(wordsOf("月光下的海洋").includes("海洋"));
  assert.deepEqual(wordsOf("🎉 !!!"), []);
});

test("plural and adjective forms find the word of the vocabulary, in order of mention and once", () => {
  const known = vocabulary({ sea: "wave", city: "town", snow: "frost" });
  assert.deepEqual(mentions(wordsOf("snowy cities between waves and the sea"), known), ["snow", "city", "sea"]);
});
