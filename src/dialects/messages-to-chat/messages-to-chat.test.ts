import assert from "node:assert/strict";
import test from "node:test";
import type { JsonObject } from "../../core/call.ts";
import { Failure } from "../../core/errors.ts";
import { testBridge, tinyPng } from "../bridge.fixture.ts";

const request = (body: JsonObject): JsonObject => testBridge("messages", "chat").request({ model: "llama", max_tokens: 100, ...body });
const asked = (fields: JsonObject): JsonObject => request({ messages: [{ role: "user", content: "Hi" }], ...fields });
const weather = {
  name: "weather",
  description: "Tells the weather",
  input_schema: { type: "object", properties: {} },
  cache_control: { type: "ephemeral" },
};

test("a whole conversation with tools, images and errors is said as chat", () => {
  const body = request({
    system: [
      { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
      { type: "text", text: "Be kind." },
    ],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: tinyPng } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm", signature: "s" },
          { type: "text", text: "I call." },
          { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Rome" } },
          { type: "tool_use", id: "toolu_2", name: "weather", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "text", text: "And?" },
          {
            type: "tool_result",
            tool_use_id: "toolu_1",
            content: [
              { type: "text", text: "map:" },
              { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
            ],
          },
          { type: "tool_result", tool_use_id: "toolu_2", is_error: true, content: "no such city" },
        ],
      },
    ],
    tools: [weather],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    stop_sequences: ["END"],
    temperature: 0.3,
    top_k: 4,
    metadata: { user_id: "u1" },
    stream: true,
  });
  assert.deepEqual(body, {
    model: "llama",
    messages: [
      { role: "system", content: "Be brief.\nBe kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${tinyPng}` } },
        ],
      },
      {
        role: "assistant",
        content: "I call.",
        tool_calls: [
          { id: "toolu_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
          { id: "toolu_2", type: "function", function: { name: "weather", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "toolu_1", content: "map:" },
      { role: "tool", tool_call_id: "toolu_2", content: "Error: no such city" },
      {
        role: "user",
        content: [
          { type: "text", text: "And?" },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
        ],
      },
    ],
    max_tokens: 100,
    stop: ["END"],
    temperature: 0.3,
    tools: [
      { type: "function", function: { name: "weather", description: "Tells the weather", parameters: { type: "object", properties: {} } } },
    ],
    tool_choice: "required",
    parallel_tool_calls: false,
    user: "u1",
    stream: true,
    stream_options: { include_usage: true },
  });
});

test("documents become files or text", () => {
  const documents = [
    { type: "document", title: "a.pdf", source: { type: "base64", media_type: "application/pdf", data: "JVBE" } },
    { type: "document", title: "Notes", source: { type: "text", media_type: "text/plain", data: "hello" } },
  ];
  const { messages } = request({ messages: [{ role: "user", content: documents }] });
  assert.deepEqual(messages, [
    {
      role: "user",
      content: [
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" } },
        { type: "text", text: "Notes\nhello" },
      ],
    },
  ]);
});

test("the choice of tools, thinking and output format have their words in chat", () => {
  const choice = (tool_choice: JsonObject): unknown => asked({ tools: [weather], tool_choice }).tool_choice;
  assert.equal(choice({ type: "auto" }), "auto");
  assert.equal(choice({ type: "none" }), "none");
  assert.deepEqual(choice({ type: "tool", name: "weather" }), { type: "function", function: { name: "weather" } });
  assert.equal(asked({ tool_choice: { type: "any" } }).tool_choice, undefined);
  assert.equal(asked({ thinking: { type: "enabled", budget_tokens: 4000 } }).reasoning_effort, "medium");
  assert.equal(asked({ thinking: { type: "adaptive" }, output_config: { effort: "max" } }).reasoning_effort, "max");
  assert.equal(asked({ thinking: { type: "disabled" } }).reasoning_effort, undefined);
  const schema = { type: "object", properties: {} };
  assert.deepEqual(asked({ output_config: { format: { type: "json_schema", schema } } }).response_format, {
    type: "json_schema",
    json_schema: { name: "answer", schema },
  });
});

test("the longest reply is asked for in the field that the model knows", () => {
  assert.equal(asked({}).max_tokens, 100);
  assert.equal(asked({ model: "gpt-5-mini" }).max_completion_tokens, 100);
  assert.equal(asked({ model: "openai/o3" }).max_completion_tokens, 100);
  assert.equal(asked({ model: "gpt-4o" }).max_tokens, 100);
  assert.equal(asked({ model: "gpt-35-turbo" }).max_tokens, 100);
});

test("what cannot be said in chat is refused and its field named", () => {
  const block = (value: JsonObject): JsonObject => ({ messages: [{ role: "user", content: [value] }] });
  const cases: [JsonObject, string, string][] = [
    [{ tools: [{ type: "web_search_20250305", name: "web_search" }] }, "not_supported", "tools[0]"],
    [{ mcp_servers: [{ url: "x" }] }, "not_supported", "mcp_servers"],
    [block({ type: "image", source: { type: "file", file_id: "f" } }), "not_supported", "messages[0].content[0]"],
    [block({ type: "document", source: { type: "url", url: "https://example.com" } }), "not_supported", "messages[0].content[0]"],
    [block({ type: "container_upload" }), "not_supported", "messages[0].content[0]"],
    [{ messages: [] }, "invalid_request", "messages"],
    [{ messages: [{ role: "robot", content: "x" }] }, "invalid_request", "messages[0].role"],
    [{ tools: [weather], tool_choice: { type: "maybe" } }, "invalid_request", "tool_choice.type"],
  ];
  for (const [fields, code, param] of cases) {
    assert.throws(
      () => asked(fields),
      (error) => error instanceof Failure && error.code === code && error.param === param,
      `${JSON.stringify(fields)} should be ${code} of ${param}`,
    );
  }
});
