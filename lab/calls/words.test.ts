import assert from "node:assert/strict";
import { test } from "node:test";
import { countMessages, countTokens, encode, loadTokens, tokenTexts } from "./tokens.ts";
import { callTool } from "./tool-call.ts";
import { imageWord, plainWords, unicodeWords } from "./words.ts";

await loadTokens();

test("every word with its space is one token, alone and in a row", () => {
  for (const word of [...plainWords, ...unicodeWords, imageWord]) {
    assert.ok(word.startsWith(" "), word);
    assert.equal(encode(word).length, 1, word);
  }
  for (const list of [plainWords, unicodeWords]) {
    assert.equal(new Set(list).size, list.length);
    assert.equal(encode([...list, ...list].join("")).length, list.length * 2);
  }
});

test("a conversation is counted by the published rule", () => {
  const hello = encode("Hello there").length;
  assert.equal(countMessages([{ texts: ["Hello there"] }]), 3 + 4 + hello);
  const two = [{ texts: ["Hello there"], name: "ada" }, { texts: ["Hello there", "Hello there"] }];
  assert.equal(countMessages(two), 3 + 4 + hello + 1 + encode("ada").length + 4 + 2 * hello);
});

test("counts stay right when many texts were asked for, and special tokens are text", () => {
  for (let index = 0; index < 3_000; index++) assert.equal(countTokens(`river ${index}`), encode(`river ${index}`).length);
  assert.equal(countTokens("river 1"), encode("river 1").length);
  assert.equal(countTokens("<|endoftext|>"), 7);
});

test("a tool is called with an input that fits its schema, a token a fragment", () => {
  const properties = {
    place: { type: "string" },
    days: { type: "integer" },
    unit: { enum: ["celsius", "kelvin"] },
    tags: { type: "ARRAY", items: { type: "BOOLEAN" } },
  };
  const called = callTool("weather", [{ name: "weather", schema: { type: "object", properties } }]);
  assert.deepEqual(called.input, { place: "river stone", days: 7, unit: "celsius", tags: [true] });
  assert.deepEqual(JSON.parse(called.fragments.join("")), called.input);
  assert.ok(called.fragments.length > 5);
  assert.equal(called.tokens, tokenTexts("weather").length + called.fragments.length);
});
