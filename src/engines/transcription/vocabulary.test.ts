import assert from "node:assert/strict";
import { test } from "node:test";
import { readVocabulary } from "./vocabulary.ts";

const special = ["endoftext", "startoftranscript", "startofprev", "transcribe", "translate", "nocaptions", "notimestamps", "en", "de"];
/** Ã and ¤ stand for the two bytes of ä, Ġ for a space. */
const words = ["a", "b", "c", "Ġ", "Ã", "¤", "ab", "Ġab", "Ã¤", "abc"];
const vocabulary = readVocabulary({
  vocabulary: JSON.stringify(Object.fromEntries(words.map((word, index) => [word, index]))),
  added: JSON.stringify(Object.fromEntries(special.map((name, index) => [`<|${name}|>`, 100 + index]))),
  merges: "#version: 0.2\na b\nĠ ab\nÃ ¤\nab c\n",
  settings: JSON.stringify({ lang_to_id: { "<|en|>": 107, "<|de|>": 108 }, suppress_tokens: [1], begin_suppress_tokens: [3] }),
});

test("text becomes the tokens of its learned merges, and tokens become text", () => {
  assert.deepEqual(vocabulary.encode("abc ab ä"), [9, 7, 3, 8]);
  assert.equal(vocabulary.decode([9, 7, 3, 8]), "abc ab ä");
  assert.equal(vocabulary.decode([101, 107, 9, 150]), "abc");
});

test("a character cut in two by a segment's end is not a crash", () => {
  assert.equal(vocabulary.decode([4]), "\ufffd");
});

test("languages, suppressed tokens and timestamps are known", () => {
  assert.equal(vocabulary.languages.get("de"), 108);
  assert.deepEqual(vocabulary.suppressed, [1, 106]);
  assert.equal(vocabulary.firstTimestamp, 107);
});
