import assert from "node:assert/strict";
import { test } from "node:test";
import type { LlamaModel, Token } from "node-llama-cpp";
import { createSpelling, readable } from "./spelling.ts";

function vocabulary(kind: string, tokens: string[], settings: object = {}): LlamaModel {
  const model = {
    vocabularyType: kind,
    fileInfo: { metadata: { tokenizer: { ggml: { tokens, ...settings } } } },
    getTokenAttributes: (token: number) => ({
      control: tokens[token] === "<s>",
      byte: tokens[token]?.startsWith("<0x"),
      userDefined: tokens[token] === "Ġraw",
    }),
  };
  return model as unknown as LlamaModel;
}
const token = (id: number): Token => id as Token;

test("a vocabulary of pieces writes spaces, single bytes and marks, and leaves out the space before a first word", () => {
  const { spell } = createSpelling(vocabulary("spm", ["<s>", "<0xE4>", "▁Once", "a"]));
  assert.deepEqual([...spell(token(0))], []);
  assert.deepEqual([...spell(token(1))], [0xe4]);
  assert.equal(spell(token(2)).toString(), " Once");
  assert.equal(spell(token(2), true).toString(), "Once");
  assert.equal(spell(token(3), true).toString(), "a");
  const without = createSpelling(vocabulary("spm", ["▁Once"], { add_space_prefix: false }));
  assert.equal(without.spell(token(0), true).toString(), " Once");
});

test("a vocabulary of stand-ins gives back the bytes they stand for", () => {
  const { spell } = createSpelling(vocabulary("bpe", ["ĠHello", "Ċ", "ðŁĺĢ", "Ã©", "Ġraw"]));
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((id) => spell(token(id)).toString()),
    [" Hello", "\n", "😀", "é", "Ġraw"],
  );
});

test("a token that is half a character is told as its bytes", () => {
  assert.equal(readable(Buffer.from([0xe4, 0xbd])), String.raw`bytes:\xe4\xbd`);
  assert.equal(readable(Buffer.from("ab")), "ab");
});
