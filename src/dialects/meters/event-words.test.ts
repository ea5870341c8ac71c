import assert from "node:assert/strict";
import { test } from "node:test";
import { chatTexts, chatWords, completionWords, messageWords, responseWords, tokensOf } from "./event-words.ts";

test("the use is read in either spelling, rounded up, and cached input counts", () => {
  assert.deepEqual(tokensOf({ prompt_tokens: 3, completion_tokens: 4 }), { inputTokens: 3, outputTokens: 4 });
  assert.deepEqual(tokensOf({ input_tokens: 3, output_tokens: 4 }), { inputTokens: 3, outputTokens: 4 });
  assert.deepEqual(tokensOf({ input_tokens: 3, cache_creation_input_tokens: 10, cache_read_input_tokens: 100 }), { inputTokens: 113 });
  assert.deepEqual(tokensOf({ prompt_tokens: 2.1, completion_tokens: 0.5 }), { inputTokens: 3, outputTokens: 1 });
  assert.deepEqual(tokensOf({ output_tokens: 4 }), { outputTokens: 4 });
});

test("what is no use is none", () => {
  for (const usage of [null, undefined, {}, [], "12", { prompt_tokens: "3" }, { prompt_tokens: null }]) assert.equal(tokensOf(usage), null);
});

test("nobody answers without having read: a use of nothing is none", () => {
  assert.equal(tokensOf({ prompt_tokens: 0, completion_tokens: 0 }), null);
  assert.equal(tokensOf({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 }), null);
});

test("a count that is below nothing or beyond all measure is not money", () => {
  for (const count of [1e300, 1e18, Number.MAX_SAFE_INTEGER])
    assert.equal(tokensOf({ prompt_tokens: 5, completion_tokens: count }), null, String(count));
  assert.deepEqual(tokensOf({ prompt_tokens: 5, completion_tokens: -4 }), { inputTokens: 5, outputTokens: 0 });
});

test("all that a chat says is text: words, thoughts, refusals and calls of tools", () => {
  const calls = [{ function: { name: "weather", arguments: '{"at":' } }, { function: { arguments: '"sea"}' } }];
  assert.equal(
    chatTexts({ content: "a", reasoning_content: "b", refusal: "c", tool_calls: calls }).join("|"),
    'a|b|c|weather|{"at":||"sea"}',
  );
  assert.equal(chatTexts({ content: null }).join(""), "");
});

test("only the chunk that has no choices is held for its use", () => {
  const held = (value: Record<string, unknown>) => chatWords.holds({ event: null, data: "{}" }, value);
  assert.equal(held({ choices: [], usage: { prompt_tokens: 1 } }), "held");
  assert.equal(held({ choices: [{}], usage: { prompt_tokens: 1 } }), "no");
  assert.equal(held({ choices: [], usage: null }), "no");
  assert.equal(completionWords.holds({ event: null, data: "[DONE]" }, null), "last");
});

test("Anthropic's first event tells the input if it is known, and never the output", () => {
  const start = (usage: object) => messageWords.amounts({ type: "message_start", message: { usage } });
  assert.deepEqual(start({ input_tokens: 8, output_tokens: 1 }), { inputTokens: 8 });
  assert.equal(start({ input_tokens: 0, output_tokens: 0 }), null);
  assert.deepEqual(messageWords.amounts({ type: "message_delta", usage: { output_tokens: 3 } }), { outputTokens: 3 });
  assert.equal(messageWords.amounts({ type: "ping", usage: { output_tokens: 3 } }), null);
});

test("the texts of Anthropic's and the responses' events are their deltas alone", () => {
  assert.equal(messageWords.texts({ type: "content_block_delta", delta: { text: "a" } }).join(""), "a");
  assert.equal(messageWords.texts({ type: "content_block_delta", delta: { partial_json: "{" } }).join(""), "{");
  assert.deepEqual(responseWords.texts({ type: "response.output_text.delta", delta: "a" }), ["a"]);
  assert.deepEqual(responseWords.texts({ type: "response.output_text.done", text: "a" }), []);
});
