import assert from "node:assert/strict";
import { test } from "node:test";
import { createWordPieces } from "./word-pieces.ts";

const vocabulary = ["[UNK]", "hello", "gate", "##way", "##s", "uber", "!", "'", "中", "文", "σοφοσ"];
const pieces = createWordPieces(
  JSON.stringify({
    model: { vocab: Object.fromEntries(vocabulary.map((word, index) => [word, index])) },
    added_tokens: [{ content: "[UNK]" }, { content: "[MASK]" }],
  }),
);

const cases: [text: string, count: number, why: string][] = [
  ["", 0, "nothing is nothing"],
  ["Hello", 1, "case does not matter"],
  ["gateways", 3, "a word is cut into its longest known pieces"],
  ["hello!!'", 4, "punctuation stands alone"],
  ["Über", 1, "accents are dropped"],
  ["中文", 2, "each Chinese character stands alone"],
  ["gatexx", 1, "a word that cannot be cut is one unknown token"],
  ["gate".repeat(30), 1, "so is a word of more than a hundred letters"],
  ["hello\u0000\u200b\tgate", 2, "control characters are dropped and tabs are spaces"],
  ["hello[MASK]gate", 3, "the name of a special token is one token"],
  ["ΣΟΦΟΣ", 1, "letters become small one by one"],
];

for (const [text, count, why] of cases) {
  test(`word pieces: ${why}`, () => assert.equal(pieces.count(text), count));
}
