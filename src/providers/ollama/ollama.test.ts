import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, callOf, eventsIn, serve, testMint, textOfStream, workOf } from "../call/call.fixture.ts";
import { ollamaChat } from "./chat.ts";
import { ollamaCompletion } from "./completion.ts";
import { ollama, ollamaEmbedding } from "./ollama.ts";

const chat = (body: Record<string, unknown>) => callOf("chat", { messages: [{ role: "user", content: "hi" }], ...body });
const chatRequest = (body: Record<string, unknown>): unknown => ollamaChat(testMint()).request(chat(body));
const completion = (body: Record<string, unknown>) => callOf("completion", { prompt: "Once", ...body });
const completionRequest = (body: Record<string, unknown>): unknown => ollamaCompletion(testMint()).request(completion(body));
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`);

test("a conversation with pictures and tools is said as /api/chat takes it", () => {
  const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
  const messages = [
    { role: "developer", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is " },
        { type: "text", text: "this?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      ],
    },
    { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } }] },
    { role: "tool", tool_call_id: "c1", content: "blue" },
  ];
  assert.deepEqual(
    chatRequest({
      messages,
      tools,
      temperature: 0,
      top_p: 0.9,
      max_tokens: 50,
      seed: 7,
      stop: ["a", "b"],
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      reasoning_effort: "minimal",
      logprobs: true,
      top_logprobs: 2,
      response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } },
    }),
    {
      model: "upstream-model",
      stream: false,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "What is this?", images: ["AAAA"] },
        { role: "assistant", content: "", tool_calls: [{ id: "c1", function: { name: "f", arguments: { a: 1 } } }] },
        { role: "tool", content: "blue", tool_call_id: "c1", tool_name: "f" },
      ],
      tools,
      format: { type: "object" },
      think: "low",
      logprobs: true,
      top_logprobs: 2,
      options: {
        num_predict: 50,
        temperature: 0,
        top_p: 0.9,
        seed: 7,
        stop: ["a", "b"],
        presence_penalty: 0.1,
        frequency_penalty: 0.2,
      },
    },
  );
  assert.deepEqual(chatRequest({ tools, tool_choice: "none", reasoning_effort: "none", response_format: { type: "json_object" }, n: 1 }), {
    model: "upstream-model",
    stream: false,
    messages: [{ role: "user", content: "hi" }],
    format: "json",
    think: false,
    options: {},
  });
});

const image = (url: string) => [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }];
const tool = { type: "function", function: { name: "f" } };
const unsayable: [string, () => unknown, string][] = [
  ["several answers", () => chatRequest({ n: 2 }), "n"],
  ["a bias of tokens", () => chatRequest({ logit_bias: { 1: 2 } }), "logit_bias"],
  ["a picture by its address", () => chatRequest({ messages: image("https://a.example/b.png") }), "messages[0].content[0].image_url"],
  ["a tool that must be used", () => chatRequest({ tools: [tool], tool_choice: "required" }), "tool_choice"],
  ["several completions", () => completionRequest({ n: 2 }), "n"],
  ["the best of several", () => completionRequest({ best_of: 2 }), "best_of"],
  ["an echo", () => completionRequest({ echo: true }), "echo"],
  ["several prompts", () => completionRequest({ prompt: ["a", "b"] }), "prompt"],
  ["a prompt of tokens", () => completionRequest({ prompt: [1, 2] }), "prompt"],
  ["prompts of tokens", () => completionRequest({ prompt: [[1], [2]] }), "prompt"],
  ["tokens to embed", () => ollamaEmbedding.request(callOf("embedding", { input: [[1]] })), "input"],
];
for (const [name, run, param] of unsayable) {
  test(`${name} cannot be asked for`, () => assert.throws(run, { code: "not_supported", param }));
}

const likely = [{ token: " a", logprob: -0.1, bytes: [32, 97], top_logprobs: [{ token: " b", logprob: -2 }] }];
const counts = { prompt_eval_count: 9, eval_count: 4, total_duration: 1 };
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

test("a chat reply becomes a chat completion", () => {
  const message = { role: "assistant", content: "Yes.", thinking: "hm", tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }] };
  const value = { model: "m", created_at: "x", message, done: true, done_reason: "stop", logprobs: likely, ...counts };
  assert.deepEqual(ollamaChat(testMint()).reply(value, chat({})), {
    id: "chatcmpl-2",
    object: "chat.completion",
    created: 1_750_000_000,
    model: "shown-model",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Yes.",
          refusal: null,
          reasoning_content: "hm",
          tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
        },
        logprobs: {
          content: [{ token: " a", logprob: -0.1, bytes: [32, 97], top_logprobs: [{ token: " b", logprob: -2, bytes: [32, 98] }] }],
          refusal: null,
        },
        finish_reason: "tool_calls",
      },
    ],
    usage,
  });
});

test("lines of a chat become chunks that end with their reason, usage and mark", async (context) => {
  const said = (message: unknown, rest = {}) => ({ model: "m", message, done: false, ...rest });
  const values = [
    said({ role: "assistant", content: "", thinking: "hm" }),
    said({ role: "assistant", content: "Yés" }),
    said({ role: "assistant", content: "" }, { done: true, done_reason: "length", ...counts }),
  ];
  const bytes = Buffer.from(lines(values).join(""));
  // Cut through the two bytes of a letter.
  const at = bytes.indexOf("é") + 1;
  const { url, sent } = await serve(context, () => ({
    mime: "application/x-ndjson",
    pieces: [bytes.subarray(0, at), bytes.subarray(at)],
  }));
  const answer = await ask(ollama, url, chat({ stream: true }), workOf({ credential: { id: "none", secret: "" } }));
  assert.equal(answer.state === "stream" && answer.mime, "text/event-stream");
  const found = eventsIn(await textOfStream(answer)) as { choices: { delta: unknown; finish_reason: unknown }[]; usage?: unknown }[];
  assert.deepEqual(
    found.slice(0, 4).map(({ choices }) => [choices[0]?.delta, choices[0]?.finish_reason]),
    [
      [{ role: "assistant", content: "" }, null],
      [{ reasoning_content: "hm" }, null],
      [{ content: "Yés" }, null],
      [{}, "length"],
    ],
  );
  assert.deepEqual([found[4]?.choices, found[4]?.usage], [[], usage]);
  assert.deepEqual(found.slice(5), ["[DONE]"]);
  assert.equal(sent[0]?.url, "/api/chat");
  assert.equal(sent[0]?.headers.authorization, undefined);
  assert.equal(JSON.parse(sent[0]?.text ?? "").stream, true);
});

test("a stream that ends early or turns into an error breaks", () => {
  for (const translation of [ollamaChat(testMint()), ollamaCompletion(testMint())]) {
    const cut = translation.stream?.(chat({}));
    cut?.event(null, '{"message":{"content":"a"},"response":"a","done":false}');
    assert.throws(() => cut?.end(), { name: "BrokenReply" });
    assert.throws(() => translation.stream?.(chat({})).event(null, '{"error":"the runner has died"}'), {
      name: "BrokenReply",
      message: "an error inside the stream",
    });
    assert.throws(() => translation.stream?.(chat({})).event(null, "<html>"), { name: "BrokenReply" });
  }
});

test("a completion is asked for raw, and by the template where it has a suffix", () => {
  assert.deepEqual(completionRequest({ prompt: ["Once"], logprobs: 2, temperature: 0.5, max_tokens: 3 }), {
    model: "upstream-model",
    prompt: "Once",
    stream: false,
    raw: true,
    logprobs: true,
    top_logprobs: 2,
    options: { num_predict: 3, temperature: 0.5 },
  });
  assert.deepEqual(completionRequest({ suffix: "end", logprobs: 0, best_of: 1, echo: false }), {
    model: "upstream-model",
    prompt: "Once",
    stream: false,
    suffix: "end",
    logprobs: true,
    options: { num_predict: 16 },
  });
});

test("a reply to a completion has the likelihoods of completions", () => {
  const value = { response: " a", done: true, done_reason: "length", logprobs: likely, ...counts };
  const logprobs = { tokens: [" a"], token_logprobs: [-0.1], top_logprobs: [{ " b": -2 }], text_offset: [0] };
  assert.deepEqual(ollamaCompletion(testMint()).reply(value, completion({})), {
    id: "cmpl-1",
    object: "text_completion",
    created: 1_750_000_000,
    model: "shown-model",
    choices: [{ text: " a", index: 0, logprobs, finish_reason: "length" }],
    usage,
  });
});

test("lines of a completion become chunks whose offsets go on", async (context) => {
  const values = [
    { response: " a", done: false, logprobs: likely },
    { response: " a", done: false, logprobs: likely },
    { response: "", done: true, done_reason: "stop", ...counts },
  ];
  const { url, sent } = await serve(context, () => ({ mime: "application/x-ndjson", pieces: lines(values) }));
  const answer = await ask(ollama, url, completion({ stream: true, logprobs: 1 }));
  const found = eventsIn(await textOfStream(answer)) as { choices: { logprobs: { text_offset: number[] } | null }[]; usage?: unknown }[];
  const offsets = found.slice(0, 2).map(({ choices }) => choices[0]?.logprobs?.text_offset);
  assert.deepEqual(offsets, [[0], [2]]);
  assert.deepEqual(found[2]?.choices, [{ index: 0, text: "", logprobs: null, finish_reason: "stop" }]);
  assert.deepEqual([found[3]?.choices, found[3]?.usage, found[4]], [[], usage, "[DONE]"]);
  assert.equal(sent[0]?.url, "/api/generate");
});

test("a count of the prompt that is not told is not made up", () => {
  const { usage: told } = ollamaChat(testMint()).reply({ message: { content: "a" }, eval_count: 3 }, chat({}));
  assert.equal(told, undefined);
});

test("texts are embedded together", async (context) => {
  const { url, sent } = await serve(context, () => ({ pieces: ['{"embeddings":[[1,-2,0.5],[0,0,1]],"prompt_eval_count":6}'] }));
  const answer = await ask(ollama, url, callOf("embedding", { input: ["a", "b"], dimensions: 3, encoding_format: "base64" }));
  assert.ok(answer.state === "whole");
  assert.deepEqual(answer.value, {
    object: "list",
    data: [
      { object: "embedding", index: 0, embedding: "AACAPwAAAMAAAAA/" },
      { object: "embedding", index: 1, embedding: "AAAAAAAAAAAAAIA/" },
    ],
    model: "shown-model",
    usage: { prompt_tokens: 6, total_tokens: 6 },
  });
  assert.deepEqual(JSON.parse(sent[0]?.text ?? ""), { model: "upstream-model", input: ["a", "b"], dimensions: 3 });
});

test("a model that is not there is told from a wrong request", async (context) => {
  const { url } = await serve(context, () => ({ status: 404, pieces: ['{"error":"model \'x\' not found"}'] }));
  const answer = await ask(ollama, url, chat({}));
  assert.equal(answer.state === "refused" && answer.refusal.class, "not_found");
});
