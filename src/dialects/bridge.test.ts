import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import OpenAI from "openai";
import type { JsonObject } from "../core/call.ts";
import { Failure } from "../core/errors.ts";
import { answering, chatChunks, readData, testBridge, tinyPng, translateAll } from "./bridge.fixture.ts";
import { bridges } from "./bridges.ts";
import { objectOf } from "./json-reading.ts";

const chat = (): ReturnType<typeof testBridge> => testBridge("chat", "messages");
const messages = (): ReturnType<typeof testBridge> => testBridge("messages", "chat");

const tool = {
  type: "function",
  function: { name: "weather", description: "Tells", parameters: { type: "object", properties: { city: { type: "string" } } } },
};
const conversation = {
  model: "any-model",
  messages: [
    { role: "system", content: "Be brief." },
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
      tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } }],
    },
    { role: "tool", tool_call_id: "call_1", content: "sunny" },
    { role: "user", content: "And now?" },
  ],
  tools: [tool],
  tool_choice: "required",
  parallel_tool_calls: false,
  max_tokens: 300,
  temperature: 0.4,
  stop: ["END"],
  user: "u1",
  stream: true,
  stream_options: { include_usage: true },
};

test("every pair of dialects is served once", () => {
  assert.deepEqual(
    bridges.map(({ from, to }) => `${from} → ${to}`),
    ["chat → messages", "messages → chat", "responses → chat", "responses → messages"],
  );
});

test("a chat request keeps its meaning through Anthropic's words and back", () => {
  assert.deepEqual(messages().request(chat().request(conversation)), conversation);
});

test("a chat reply keeps its meaning through Anthropic's words and back", () => {
  const message = {
    role: "assistant",
    content: "Sunny.",
    refusal: null,
    reasoning_content: "Hm",
    tool_calls: conversation.messages[2]?.tool_calls,
  };
  const usage = {
    prompt_tokens: 30,
    completion_tokens: 5,
    total_tokens: 35,
    prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 2 },
  };
  const completion = { choices: [{ index: 0, message, logprobs: null, finish_reason: "tool_calls" }], usage };
  const back = chat().reply(messages().reply(completion, conversation), conversation);
  assert.deepEqual({ choices: back.choices, usage: back.usage }, completion);
});

test("a streamed chat reply keeps its meaning through Anthropic's words and back", () => {
  const deltas = [
    { reasoning_content: "Hm" },
    { content: "I " },
    { content: "call." },
    { tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } }] },
    { tool_calls: [{ index: 1, id: "b", type: "function", function: { name: "g", arguments: "{}" } }] },
  ];
  const there = translateAll(messages().stream(conversation), chatChunks(deltas, "tool_calls", { prompt_tokens: 3, completion_tokens: 4 }));
  const back = readData(translateAll(chat().stream(conversation), readData(there)));
  const all = (pick: (delta: JsonObject) => unknown): string =>
    back.flatMap(({ choices }) => ((choices ?? []) as { delta: JsonObject }[]).map(({ delta }) => pick(delta) ?? "")).join("");
  assert.equal(
    all((delta) => delta.reasoning_content),
    "Hm",
  );
  assert.equal(
    all((delta) => delta.content),
    "I call.",
  );
  assert.equal(
    all((delta) =>
      (delta.tool_calls as { index: number; id?: string; function: JsonObject }[] | undefined)
        ?.map((call) => `${call.index}${call.id ?? ""}${String(call.function.arguments)}`)
        .join(""),
    ),
    '0a0{"x":1}1b1{}',
  );
  assert.deepEqual(objectOf(back.at(-2)?.usage).total_tokens, 7);
});

test("Responses reach an Anthropic provider through chat", async () => {
  const bridge = testBridge("responses", "messages");
  const asked = {
    model: "claude-opus-4-7",
    input: "Hi",
    instructions: "Be brief.",
    reasoning: { effort: "low" },
    max_output_tokens: 2000,
    stream: true,
  };
  assert.deepEqual(bridge.request(asked), {
    model: "claude-opus-4-7",
    max_tokens: 2000,
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "low" },
    system: [{ type: "text", text: "Be brief." }],
    messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    stream: true,
  });
  assert.throws(
    () => bridge.request({ ...asked, top_logprobs: 2 }),
    (error) => error instanceof Failure && error.param === "logprobs",
  );
  const whole = bridge.reply(
    { content: [{ type: "text", text: "Hello." }], stop_reason: "end_turn", usage: { input_tokens: 3, output_tokens: 2 } },
    asked,
  );
  assert.equal((whole.usage as JsonObject).total_tokens, 5);
  const text = translateAll(bridge.stream(asked), [
    { type: "message_start", message: { usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hello." } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ]);
  const client = new OpenAI({ apiKey: "k", baseURL: "http://127.0.0.1/v1", fetch: answering(text), maxRetries: 0 });
  const response = await client.responses.stream({ model: "m", input: "Hi" }).finalResponse();
  assert.equal(response.output_text, "Hello.");
  assert.deepEqual([response.status, response.usage?.total_tokens], ["completed", 5]);
});

/** Values that look much like the real ones, with anything in any place. */
function nearly(keys: readonly string[], words: readonly string[]): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 5 }, fc.constantFrom(...words, null, true, 0, -1, 1.5, "", "{", "{}"), tie("object"), tie("list")),
    list: fc.array(tie("tree"), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom(...keys), tie("tree"), { maxKeys: 6 }),
  }));
  return tree;
}

const replyKeys =
  "content choices message delta usage tool_calls function name arguments id index type text thinking input error stop_reason finish_reason prompt_tokens prompt_tokens_details logprobs content_block partial_json reasoning".split(
    " ",
  );
const replyWords =
  "text tool_use thinking text_delta input_json_delta message_start content_block_start content_block_delta content_block_stop message_delta stop".split(
    " ",
  );

test("whatever an upstream says, nothing is thrown", () => {
  fc.assert(
    fc.property(fc.array(nearly(replyKeys, replyWords), { maxLength: 6 }), (values) => {
      for (const bridge of bridges) {
        const translator = bridge.stream({ model: "m", messages: [{ role: "user", content: "Hi" }], input: "Hi" });
        for (const value of values) {
          if (typeof value === "object" && value !== null)
            bridge.reply(value as JsonObject, { model: "m", messages: [{ role: "user", content: "Hi" }], input: "Hi" });
          translator.event(null, JSON.stringify(value) ?? "");
          translator.event("content_block_delta", JSON.stringify({ delta: value, content_block: value, index: 0 }));
        }
        translator.end();
      }
    }),
    { numRuns: 300 },
  );
});

const requestKeys =
  "model messages input system role content type text image_url url file file_data tools function name parameters input_schema tool_choice tool_calls tool_call_id call_id output source data media_type instructions stop temperature reasoning reasoning_effort thinking response_format output_config metadata n stream".split(
    " ",
  );
const requestWords =
  "user assistant tool system text image_url input_text function tool_use tool_result image document base64 message function_call function_call_output required any".split(
    " ",
  );

test("whatever a client asks, it is translated or refused with the field at fault", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...requestKeys), nearly(requestKeys, requestWords), { maxKeys: 8 }), (body) => {
      for (const bridge of bridges) {
        try {
          JSON.stringify(bridge.request(body));
        } catch (error) {
          assert.ok(error instanceof Failure, String(error));
          assert.ok(error.code === "not_supported" || error.code === "invalid_request");
          assert.notEqual(error.param, null);
        }
      }
    }),
    { numRuns: 500 },
  );
});
