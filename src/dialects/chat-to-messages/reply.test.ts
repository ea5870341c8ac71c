import assert from "node:assert/strict";
import test from "node:test";
import OpenAI from "openai";
import type { JsonObject } from "../../core/call.ts";
import { objectsOf } from "../json-reading.ts";
import { answering, readData, testBridge, translateAll } from "../bridge.fixture.ts";

const asked = { model: "my-model", messages: [] };

const usage = { input_tokens: 10, cache_creation_input_tokens: 3, cache_read_input_tokens: 20, output_tokens: 7 };
const chatUsage = {
  prompt_tokens: 33,
  completion_tokens: 7,
  total_tokens: 40,
  prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 3 },
};

const upstreamEvents: JsonObject[] = [
  { type: "message_start", message: { id: "msg_up", model: "claude-x", usage: { ...usage, output_tokens: 1 } } },
  { type: "ping" },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "xyz" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Let me" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: " look." } },
  { type: "content_block_stop", index: 1 },
  { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "toolu_a", name: "weather", input: {} } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "" } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"city":' } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '"Rome"}' } },
  { type: "content_block_stop", index: 2 },
  { type: "content_block_start", index: 3, content_block: { type: "tool_use", id: "toolu_b", name: "now", input: {} } },
  { type: "content_block_stop", index: 3 },
  { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 7, input_tokens: null } },
  { type: "message_stop" },
];

test("a message becomes a completion with its text, thinking, calls and counts", () => {
  const reply = testBridge("chat", "messages").reply(
    {
      id: "msg_up",
      model: "claude-x",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "text", text: "Let me " },
        { type: "text", text: "look." },
        { type: "tool_use", id: "toolu_a", name: "weather", input: { city: "Rome" } },
      ],
      stop_reason: "tool_use",
      usage: { ...usage, output_tokens_details: { thinking_tokens: 4 } },
    },
    asked,
  );
  assert.deepEqual(reply, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "my-model",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Let me look.",
          refusal: null,
          reasoning_content: "Hm.",
          tool_calls: [{ id: "toolu_a", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } }],
        },
        logprobs: null,
        finish_reason: "tool_calls",
      },
    ],
    usage: { ...chatUsage, completion_tokens_details: { reasoning_tokens: 4 } },
  });
});

test("every reason to stop has its word", () => {
  const words = {
    end_turn: "stop",
    stop_sequence: "stop",
    pause_turn: "stop",
    max_tokens: "length",
    model_context_window_exceeded: "length",
    tool_use: "tool_calls",
    refusal: "content_filter",
    new_word: "stop",
  };
  for (const [stop_reason, expected] of Object.entries(words)) {
    const { choices } = testBridge("chat", "messages").reply({ content: [], stop_reason }, asked);
    assert.equal((choices as JsonObject[])[0]?.finish_reason, expected, stop_reason);
  }
});

test("a stream becomes chunks with calls by index, usage in its own chunk, and an end", () => {
  const text = translateAll(testBridge("chat", "messages").stream(asked), upstreamEvents);
  const chunks = readData(text);
  const deltas = chunks.flatMap(({ choices }) => (choices as { delta: JsonObject }[] | undefined)?.map(({ delta }) => delta) ?? []);
  assert.deepEqual(deltas, [
    { role: "assistant", content: "" },
    { reasoning_content: "Hm." },
    { content: "Let me" },
    { content: " look." },
    { tool_calls: [{ index: 0, id: "toolu_a", type: "function", function: { name: "weather", arguments: "" } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] },
    { tool_calls: [{ index: 1, id: "toolu_b", type: "function", function: { name: "now", arguments: "" } }] },
    { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
    {},
  ]);
  const [finish, last, done] = chunks.slice(-3);
  assert.equal(objectsOf(finish?.choices)[0]?.finish_reason, "tool_calls");
  assert.deepEqual(last, {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "my-model",
    choices: [],
    usage: chatUsage,
  });
  assert.deepEqual(done, { done: true });
});

test("OpenAI's own client puts the stream together", async () => {
  const text = translateAll(testBridge("chat", "messages").stream(asked), upstreamEvents);
  const client = new OpenAI({ apiKey: "k", baseURL: "http://127.0.0.1/v1", fetch: answering(text), maxRetries: 0 });
  const completion = await client.chat.completions
    .stream({ model: "m", messages: [], stream_options: { include_usage: true } })
    .finalChatCompletion();
  const [choice] = completion.choices;
  assert.equal(choice?.message.content, "Let me look.");
  assert.deepEqual(
    choice?.message.tool_calls?.map((call) => (call.type === "function" ? [call.id, call.function.name, call.function.arguments] : null)),
    [
      ["toolu_a", "weather", '{"city":"Rome"}'],
      ["toolu_b", "now", "{}"],
    ],
  );
  assert.equal(completion.usage?.total_tokens, 40);
});

test("an error in the stream is told in our own words and ends it", () => {
  const translator = testBridge("chat", "messages").stream(asked);
  const text = translateAll(translator, [
    ...upstreamEvents.slice(0, 8),
    { type: "error", error: { type: "overloaded_error", message: "host 10.0.0.1 is full" } },
    ...upstreamEvents.slice(8),
  ]);
  assert.doesNotMatch(text, /10\.0\.0\.1|DONE/);
  assert.deepEqual(readData(text).at(-1), {
    error: { type: "server_error", param: null, code: "upstream_unavailable", message: "No provider for this model is available now." },
  });
});

test("a stream that ends without its last event is still finished", () => {
  const chunks = readData(translateAll(testBridge("chat", "messages").stream(asked), upstreamEvents.slice(0, -1)));
  assert.deepEqual(chunks.at(-1), { done: true });
});
