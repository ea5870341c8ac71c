import assert from "node:assert/strict";
import test from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import type { JsonObject } from "../../core/call.ts";
import { answering, chatChunks, readData, testBridge, translateAll } from "../bridge.fixture.ts";

const asked = { model: "my-model", max_tokens: 100, messages: [] };
const usage = { prompt_tokens: 30, completion_tokens: 7, total_tokens: 37, prompt_tokens_details: { cached_tokens: 20 } };
const messagesUsage = { input_tokens: 10, output_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 20 };

const completion = (message: JsonObject, finish_reason: string): JsonObject => ({ choices: [{ index: 0, message, finish_reason }], usage });
const reply = (message: JsonObject, finish_reason = "stop"): JsonObject =>
  testBridge("messages", "chat").reply(completion(message, finish_reason), asked);
const call = (id: string, name: string, args: unknown): JsonObject => ({ id, type: "function", function: { name, arguments: args } });

const deltas: JsonObject[] = [
  { reasoning_content: "Hm." },
  { content: "Let me" },
  { content: " look." },
  { tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "weather", arguments: "" } }] },
  { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
  { tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] },
  { tool_calls: [{ index: 1, id: "call_b", type: "function", function: { name: "now", arguments: "{}" } }] },
];

test("a completion becomes a message with its thinking, text, calls and counts", () => {
  const message = {
    role: "assistant",
    content: "Let me look.",
    reasoning_content: "Hm.",
    tool_calls: [call("call_a", "weather", '{"city":"Rome"}')],
  };
  assert.deepEqual(reply(message, "tool_calls"), {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "my-model",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "" },
      { type: "text", text: "Let me look." },
      { type: "tool_use", id: "call_a", name: "weather", input: { city: "Rome" } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: messagesUsage,
  });
});

test("arguments that are no JSON object are shown, not lost", () => {
  assert.deepEqual(reply({ content: null, tool_calls: [call("a", "f", '{"city":')] }).content, [
    { type: "text", text: '{"city":' },
    { type: "tool_use", id: "a", name: "f", input: {} },
  ]);
  assert.deepEqual(reply({ content: null, tool_calls: [call("a", "f", "")] }).content, [
    { type: "tool_use", id: "a", name: "f", input: {} },
  ]);
});

test("every reason to finish has its word", () => {
  const words = {
    stop: "end_turn",
    length: "max_tokens",
    tool_calls: "tool_use",
    function_call: "tool_use",
    content_filter: "refusal",
    new_word: "end_turn",
  };
  for (const [finish, expected] of Object.entries(words)) assert.equal(reply({ content: "x" }, finish).stop_reason, expected, finish);
  assert.equal(reply({ tool_calls: [call("a", "f", "{}")] }, "stop").stop_reason, "tool_use");
  assert.equal(reply({ content: null, refusal: "No." }).stop_reason, "refusal");
});

test("a stream becomes blocks one after the other, with counts at the end", () => {
  const text = translateAll(testBridge("messages", "chat").stream(asked), chatChunks(deltas, "tool_calls", usage));
  assert.match(text, /^event: message_start\ndata: .*\n\nevent: ping\n/);
  assert.deepEqual(readData(text), [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "my-model",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      },
    },
    { type: "ping" },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Let me" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: " look." } },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "call_a", name: "weather", input: {} } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"city":' } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '"Rome"}' } },
    { type: "content_block_stop", index: 2 },
    { type: "content_block_start", index: 3, content_block: { type: "tool_use", id: "call_b", name: "now", input: {} } },
    { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: "{}" } },
    { type: "content_block_stop", index: 3 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: messagesUsage },
    { type: "message_stop" },
  ]);
});

test("Anthropic's own client puts the stream together", async () => {
  const text = translateAll(testBridge("messages", "chat").stream(asked), chatChunks(deltas, "tool_calls", usage));
  const client = new Anthropic({ apiKey: "k", baseURL: "http://127.0.0.1", fetch: answering(text), maxRetries: 0 });
  const message = await client.messages.stream({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] }).finalMessage();
  assert.deepEqual(JSON.parse(JSON.stringify(message.content)), [
    { type: "thinking", thinking: "Hm.", signature: "" },
    { type: "text", text: "Let me look." },
    { type: "tool_use", id: "call_a", name: "weather", input: { city: "Rome" } },
    { type: "tool_use", id: "call_b", name: "now", input: {} },
  ]);
  assert.equal(message.stop_reason, "tool_use");
  assert.equal(message.usage.input_tokens, 10);
  assert.equal(message.usage.output_tokens, 7);
});

test("an error in the stream is told in our own words and ends it", () => {
  const chunks = [
    ...chatChunks(deltas, "stop").slice(0, 3),
    { error: { message: "key sk-1 is out of money", type: "rate_limit_error", code: 429 } },
    "[DONE]",
  ];
  const text = translateAll(testBridge("messages", "chat").stream(asked), chunks);
  assert.doesNotMatch(text, /sk-1|message_stop/);
  assert.match(text, /event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error","message":"No provider/);
});

test("a stream that ends without [DONE] is still finished, and nothing is said twice", () => {
  const translator = testBridge("messages", "chat").stream(asked);
  const text = translateAll(translator, chatChunks([{ content: "Hi" }], "length").slice(0, -1));
  assert.match(text, /"stop_reason":"max_tokens"/);
  assert.match(text, /event: message_stop/);
  assert.equal(translator.end() + translator.event(null, "[DONE]"), "");
});
