import assert from "node:assert/strict";
import test from "node:test";
import type { JsonObject } from "../../core/call.ts";
import { Failure } from "../../core/errors.ts";
import { testBridge, tinyPng } from "../bridge.fixture.ts";

const request = (body: JsonObject): JsonObject => testBridge("responses", "chat").request({ model: "llama", ...body });
const asked = (fields: JsonObject): JsonObject => request({ input: "Hi", ...fields });
const weather = {
  type: "function",
  name: "weather",
  description: "Tells the weather",
  parameters: { type: "object", properties: {} },
  strict: true,
};

test("input items, instructions and settings are said as chat", () => {
  const body = request({
    instructions: "Be brief.",
    input: [
      { role: "developer", content: "Use tools." },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Look" },
          { type: "input_image", image_url: `data:image/png;base64,${tinyPng}`, detail: "low" },
        ],
      },
      { type: "reasoning", id: "rs_1", summary: [] },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        status: "completed",
        content: [{ type: "output_text", text: "I call.", annotations: [] }],
      },
      { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Rome"}' },
      { type: "function_call", call_id: "call_2", name: "weather", arguments: "" },
      {
        type: "function_call_output",
        call_id: "call_1",
        output: [
          { type: "input_text", text: "map:" },
          { type: "input_image", image_url: "https://example.com/a.png" },
        ],
      },
      { type: "function_call_output", call_id: "call_2", output: "rain" },
      { role: "user", content: [{ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" }] },
    ],
    tools: [weather],
    tool_choice: { type: "function", name: "weather" },
    parallel_tool_calls: false,
    text: { format: { type: "json_schema", name: "answer", schema: { type: "object" }, strict: true }, verbosity: "low" },
    max_output_tokens: 200,
    reasoning: { effort: "low", summary: "auto" },
    temperature: 0.3,
    top_p: 0.9,
    top_logprobs: 2,
    metadata: { a: "b" },
    store: true,
    stream: true,
  });
  assert.deepEqual(body, {
    model: "llama",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "system", content: "Use tools." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${tinyPng}`, detail: "low" } },
        ],
      },
      {
        role: "assistant",
        content: "I call.",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
          { id: "call_2", type: "function", function: { name: "weather", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "map:" },
      { role: "tool", tool_call_id: "call_2", content: "rain" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] },
      { role: "user", content: [{ type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" } }] },
    ],
    max_tokens: 200,
    temperature: 0.3,
    top_p: 0.9,
    tools: [
      {
        type: "function",
        function: { name: "weather", description: "Tells the weather", parameters: { type: "object", properties: {} }, strict: true },
      },
    ],
    tool_choice: { type: "function", function: { name: "weather" } },
    parallel_tool_calls: false,
    logprobs: true,
    top_logprobs: 2,
    response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" }, strict: true } },
    verbosity: "low",
    reasoning_effort: "low",
    stream: true,
    stream_options: { include_usage: true },
  });
});

test("a string is the user's message, and newer models get the newer ceiling", () => {
  assert.deepEqual(asked({ model: "gpt-5", max_output_tokens: 20 }), {
    model: "gpt-5",
    messages: [{ role: "user", content: "Hi" }],
    max_completion_tokens: 20,
  });
});

test("allowed tools are the only ones sent", () => {
  const other = { type: "function", name: "other", parameters: null };
  const body = asked({
    tools: [weather, other],
    tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "other" }] },
  });
  assert.deepEqual(body.tools, [{ type: "function", function: { name: "other" } }]);
  assert.equal(body.tool_choice, "required");
});

test("what chat cannot do is refused and its field named", () => {
  const cases: [JsonObject, string, string][] = [
    [{ previous_response_id: "resp_1" }, "not_supported", "previous_response_id"],
    [{ conversation: "conv_1" }, "not_supported", "conversation"],
    [{ prompt: { id: "p" } }, "not_supported", "prompt"],
    [{ background: true }, "not_supported", "background"],
    [{ tools: [weather, { type: "web_search" }] }, "not_supported", "tools[1]"],
    [{ tool_choice: { type: "file_search" } }, "not_supported", "tool_choice"],
    [{ input: [{ type: "item_reference", id: "x" }] }, "not_supported", "input[0]"],
    [{ input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] }, "not_supported", "input[0].content[0]"],
    [
      { input: [{ role: "user", content: [{ type: "input_file", file_url: "https://example.com" }] }] },
      "not_supported",
      "input[0].content[0]",
    ],
    [{ input: [] }, "invalid_request", "input"],
    [{ input: 7 }, "invalid_request", "input"],
    [{ input: [{ role: "robot", content: "x" }] }, "invalid_request", "input[0].role"],
  ];
  for (const [fields, code, param] of cases) {
    assert.throws(
      () => asked(fields),
      (error) => error instanceof Failure && error.code === code && error.param === param,
      `${JSON.stringify(fields)} should be ${code} of ${param}`,
    );
  }
  assert.throws(() => asked({ tools: [{ type: "web_search" }] }), /web_search/);
});
