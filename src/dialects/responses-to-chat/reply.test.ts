import assert from "node:assert/strict";
import test from "node:test";
import OpenAI from "openai";
import type { JsonObject } from "../../core/call.ts";
import { objectOf } from "../json-reading.ts";
import { ResponsesStream } from "./stream.ts";
import { answering, chatChunks, countingMint, readData, testBridge, translateAll } from "../bridge.fixture.ts";

const asked = {
  model: "my-model",
  input: "Hi",
  instructions: "Be brief.",
  metadata: { a: "b" },
  temperature: 0.5,
  reasoning: { effort: "low" },
};
const usage = {
  prompt_tokens: 30,
  completion_tokens: 7,
  total_tokens: 37,
  prompt_tokens_details: { cached_tokens: 20 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const responsesUsage = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 20, cache_write_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 37,
};
const deltas: JsonObject[] = [
  { reasoning: "Hm." },
  { content: "Let me" },
  { content: " look." },
  { tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "weather", arguments: "" } }] },
  { tool_calls: [{ index: 1, id: "call_b", type: "function", function: { name: "now", arguments: "" } }] },
  { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
  { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
  { tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] },
];
const output = [
  { type: "reasoning", status: "completed", summary: [{ type: "summary_text", text: "Hm." }] },
  {
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text: "Let me look.", annotations: [], logprobs: [] }],
  },
  { type: "function_call", status: "completed", call_id: "call_a", name: "weather", arguments: '{"city":"Rome"}' },
  { type: "function_call", status: "completed", call_id: "call_b", name: "now", arguments: "{}" },
];
const withoutIds = (items: unknown): JsonObject[] => (items as JsonObject[]).map(({ id, ...item }) => (assert.ok(id), item));
const client = (text: string): OpenAI => new OpenAI({ apiKey: "k", baseURL: "http://127.0.0.1/v1", fetch: answering(text), maxRetries: 0 });

test("a completion becomes a response with its items, counts and the request's settings", () => {
  const message = {
    content: "Let me look.",
    reasoning_content: "Hm.",
    tool_calls: [
      { id: "call_a", function: { name: "weather", arguments: '{"city":"Rome"}' } },
      { id: "call_b", function: { name: "now", arguments: "" } },
    ],
  };
  const response = testBridge("responses", "chat").reply(
    { created: 1_699_999_999, choices: [{ message, finish_reason: "tool_calls" }], usage },
    asked,
  );
  assert.deepEqual(withoutIds(response.output), output);
  delete response.output;
  assert.match(String(response.id), /^resp_/);
  delete response.id;
  assert.deepEqual(response, {
    object: "response",
    created_at: 1_699_999_999,
    completed_at: 1_700_000_000,
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: "Be brief.",
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: { a: "b" },
    model: "my-model",
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: "low", summary: null },
    safety_identifier: null,
    service_tier: "default",
    store: false,
    temperature: 0.5,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: "disabled",
    usage: responsesUsage,
    user: null,
  });
});

test("a reply that was cut off is incomplete and says why", () => {
  const reply = (finish_reason: string): JsonObject =>
    testBridge("responses", "chat").reply({ choices: [{ message: { content: "x" }, finish_reason }] }, asked);
  assert.deepEqual([reply("length").status, reply("length").incomplete_details], ["incomplete", { reason: "max_output_tokens" }]);
  assert.deepEqual(reply("content_filter").incomplete_details, { reason: "content_filter" });
  assert.equal((reply("length").output as JsonObject[])[0]?.status, "incomplete");
});

test("a stream tells every item from its first event to its last, numbered", () => {
  const events = readData(translateAll(testBridge("responses", "chat").stream(asked), chatChunks(deltas, "tool_calls", usage)));
  assert.deepEqual(
    events.map(({ type }) => String(type).replace("response.", "")),
    `created in_progress
    output_item.added reasoning_summary_part.added reasoning_summary_text.delta
    reasoning_summary_text.done reasoning_summary_part.done output_item.done
    output_item.added content_part.added output_text.delta output_text.delta output_text.done content_part.done output_item.done
    output_item.added function_call_arguments.delta function_call_arguments.delta function_call_arguments.done output_item.done
    output_item.added function_call_arguments.delta function_call_arguments.done output_item.done
    completed`.split(/\s+/),
  );
  assert.deepEqual(
    events.map(({ sequence_number }) => sequence_number),
    [...events.keys()],
  );
  assert.deepEqual(events[10], {
    type: "response.output_text.delta",
    sequence_number: 10,
    item_id: "msg_3",
    output_index: 1,
    content_index: 0,
    delta: "Let me",
    logprobs: [],
  });
  assert.deepEqual(events[18], {
    type: "response.function_call_arguments.done",
    sequence_number: 18,
    item_id: "fc_4",
    output_index: 2,
    arguments: '{"city":"Rome"}',
  });
  const last = events.at(-1)?.response as JsonObject;
  assert.deepEqual(withoutIds(last.output), output);
  assert.deepEqual(last.usage, responsesUsage);
  assert.equal(last.id, objectOf(events[0]?.response).id);
});

test("OpenAI's own client puts the stream together", async () => {
  const text = translateAll(testBridge("responses", "chat").stream(asked), chatChunks(deltas, "tool_calls", usage));
  assert.doesNotMatch(text, /DONE/);
  const response = await client(text).responses.stream({ model: "m", input: "Hi" }).finalResponse();
  assert.equal(response.status, "completed");
  assert.equal(response.output_text, "Let me look.");
  assert.deepEqual(
    response.output.map(({ type }) => type),
    ["reasoning", "message", "function_call", "function_call"],
  );
  assert.equal(response.usage?.total_tokens, 37);
});

test("a stream that was cut off ends as incomplete", async () => {
  const text = translateAll(testBridge("responses", "chat").stream(asked), chatChunks([{ content: "Once upon" }], "length"));
  assert.match(text, /event: response\.incomplete\n/);
  const response = await client(text).responses.stream({ model: "m", input: "Hi" }).finalResponse();
  assert.equal(response.status, "incomplete");
  assert.equal(response.incomplete_details?.reason, "max_output_tokens");
  assert.equal(response.output_text, "Once upon");
});

test("a refusal and log probabilities have their own events", () => {
  const refused = readData(
    translateAll(testBridge("responses", "chat").stream(asked), chatChunks([{ refusal: "No" }, { refusal: "." }], "stop")),
  );
  assert.deepEqual(
    refused.find(({ type }) => type === "response.refusal.done"),
    { type: "response.refusal.done", sequence_number: 6, item_id: "msg_2", output_index: 0, content_index: 0, refusal: "No." },
  );
  const token = { token: "Hi", logprob: -0.1, bytes: [72, 105], top_logprobs: [] };
  const chunk = { choices: [{ index: 0, delta: { content: "Hi" }, logprobs: { content: [token] }, finish_reason: "stop" }] };
  const told = readData(translateAll(testBridge("responses", "chat").stream(asked), [chunk, "[DONE]"]));
  assert.deepEqual(told.find(({ type }) => type === "response.output_text.delta")?.logprobs, [token]);
  assert.deepEqual(told.find(({ type }) => type === "response.output_text.done")?.logprobs, [token]);
});

test("an error in the stream fails the response in our own words", () => {
  const chunks = [...chatChunks(deltas, "stop").slice(0, 4), { error: { message: "key sk-1", type: "server_error" } }, "[DONE]"];
  const text = translateAll(testBridge("responses", "chat").stream(asked), chunks);
  assert.doesNotMatch(text, /sk-1|response\.completed/);
  const last = readData(text).at(-1);
  assert.equal(last?.type, "response.failed");
  assert.deepEqual(objectOf(last?.response).error, { code: "server_error", message: "The provider could not complete the request." });
});

test("beyond a length the last events leave the rest of a text out", () => {
  const translator = new ResponsesStream(asked, countingMint(), 3200);
  const data = JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(400) } }] });
  let passed = "";
  for (let count = 0; count < 9; count++) passed += translator.event(null, data);
  assert.equal(passed.split("x".repeat(400)).length, 10, "every piece is passed on");
  const parts = translator.end().split("x".repeat(3200));
  assert.equal(parts.length, 5, "the kept text stands four times in the last events");
  assert.ok(!parts.some((part) => part.includes("xx")), "and no more than that");
});
