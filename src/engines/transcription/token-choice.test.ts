import assert from "node:assert/strict";
import { test } from "node:test";
import { createChance } from "../chance.ts";
import { chooseToken } from "./token-choice.ts";
import type { Vocabulary } from "./vocabulary.ts";

const firstTimestamp = 10;
const vocabulary: Vocabulary = {
  decode: () => "",
  encode: () => [],
  languages: new Map(),
  endOfText: 5,
  startOfTranscript: 6,
  startOfPrevious: 7,
  transcribe: 8,
  translate: 8,
  noSpeech: 9,
  firstTimestamp,
  suppressed: [3],
  suppressedAtStart: [1],
};
/** Chooses among 100 tokens, all unlikely but the given ones. */
const choose = (likely: Record<number, number>, tokens: number[], temperature = 0, seed = 1) =>
  chooseToken(
    Float32Array.from({ length: 100 }, (_, token) => likely[token] ?? -20),
    tokens,
    vocabulary,
    temperature,
    createChance("test", seed),
  );

test("a transcript begins with a timestamp of at most a second", () => {
  assert.equal(choose({ 2: 9, 12: 1, 80: 5 }, []).token, 12);
});

test("behind an opening timestamp come words, behind a closing one a timestamp or the end", () => {
  assert.equal(choose({ 2: 1, 30: 9 }, [10]).token, 2);
  assert.equal(choose({ 2: 9, 30: 1 }, [10, 2, 25]).token, 30);
  assert.equal(choose({ 2: 9, 5: 8, 30: 1 }, [10, 2, 25]).token, 5);
});

test("time never goes back", () => {
  assert.equal(choose({ 20: 9, 31: 2 }, [30, 2]).token, 31);
});

test("suppressed tokens are never chosen", () => {
  assert.equal(choose({ 3: 9, 4: 1 }, [10]).token, 4);
});

test("many half-likely timestamps together outweigh a word", () => {
  const times = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [40 + index, 3]));
  assert.ok(choose({ 2: 4, ...times }, [10, 2]).token >= 40);
});

test("the log probability is that of the choice among what is allowed", () => {
  const { logprob } = choose({ 2: 0, 4: 0 }, [10]);
  assert.ok(Math.abs(logprob - Math.log(0.5)) < 0.001);
});

test("a temperature draws by chance, and no forbidden token", () => {
  const drawn = new Set(Array.from({ length: 60 }, (_, seed) => choose({ 2: 1, 3: 9, 4: 1 }, [10], 1, seed).token));
  assert.deepEqual(
    [...drawn].sort((one, other) => one - other),
    [2, 4],
  );
});
