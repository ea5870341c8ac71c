import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askJson, chat, eventsIn, labFor, pick, valuesIn } from "./ask.fixture.ts";
import { encode, loadTokens } from "./tokens.ts";
import { plainWords } from "./words.ts";

await loadTokens();
const place = "openai/v1/chat/completions";
const said = (count: number) => plainWords.slice(0, count).join("");

test("a chat is answered with twelve words and counted exactly", async (context) => {
  const lab = await labFor(context, { now: () => 1_700_000_000_500 });
  const body = chat("Tell me something.", {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Go on.", name: "ada" },
    ],
  });
  const reply = await askJson(lab, place, body);
  const promptTokens = 3 + 4 + encode("Be brief.").length + 4 + encode("Go on.").length + 1 + encode("ada").length;
  assert.match(String(pick(reply, "id")), /^chatcmpl-[0-9a-z]{24}$/);
  assert.deepEqual(
    ["object", "created", "model", "system_fingerprint"].map((name) => pick(reply, name)),
    ["chat.completion", 1_700_000_000, "lab-chat", "fp_lab0000001"],
  );
  assert.deepEqual(pick(reply, "choices"), [
    { index: 0, message: { role: "assistant", content: said(12), refusal: null, annotations: [] }, logprobs: null, finish_reason: "stop" },
  ]);
  assert.equal(pick(reply, "usage.prompt_tokens"), promptTokens);
  assert.equal(pick(reply, "usage.completion_tokens"), 12);
  assert.equal(pick(reply, "usage.total_tokens"), promptTokens + 12);
});

test("the smaller of what is asked for and what is allowed decides, and stop sequences end a reply", async (context) => {
  const lab = await labFor(context);
  const ends = async (prompt: string, more: object) => {
    const reply = await askJson(lab, place, chat(prompt, more));
    return [pick(reply, "usage.completion_tokens"), pick(reply, "choices.0.finish_reason")];
  };
  assert.deepEqual(await ends("x", { max_tokens: 5 }), [5, "length"]);
  assert.deepEqual(await ends("x", { max_completion_tokens: 100 }), [12, "stop"]);
  assert.deepEqual(await ends("[lab:tokens=40]", {}), [40, "stop"]);
  assert.deepEqual(await ends("[lab:tokens=40]", { max_tokens: 39 }), [39, "length"]);
  assert.deepEqual(await ends("x", { stop: ["garden"] }), [4, "stop"]);
  assert.deepEqual(await ends("[lab:filtered]", {}), [12, "content_filter"]);
});

test("a stream has a role, a frame for each token, an end, and usage only when asked for", async (context) => {
  const lab = await labFor(context);
  const plain = await ask(lab, place, chat("x", { stream: true }));
  assert.match(plain.headers.get("content-type") ?? "", /^text\/event-stream/);
  const text = await plain.text();
  assert.equal(eventsIn(text).at(-1)?.data, "[DONE]");
  const chunks = valuesIn(text);
  assert.equal(chunks.length, 14);
  assert.deepEqual(pick(chunks[0], "choices.0.delta"), { role: "assistant", content: "", refusal: null });
  assert.equal(chunks.map((chunk) => pick(chunk, "choices.0.delta.content") ?? "").join(""), said(12));
  assert.deepEqual(chunks.map((chunk) => pick(chunk, "choices.0.finish_reason")).slice(-2), [null, "stop"]);
  assert.ok(chunks.every((chunk) => pick(chunk, "usage") === undefined && pick(chunk, "object") === "chat.completion.chunk"));
  assert.equal(new Set(chunks.map((chunk) => pick(chunk, "id"))).size, 1);

  const told = valuesIn(await (await ask(lab, place, chat("x", { stream: true, stream_options: { include_usage: true } }))).text());
  assert.equal(told.length, 15);
  assert.ok(told.slice(0, -1).every((chunk) => pick(chunk, "usage") === null));
  assert.deepEqual([pick(told.at(-1), "choices"), pick(told.at(-1), "usage.completion_tokens")], [[], 12]);
});

test("usage can be kept back, or ride on the last choice", async (context) => {
  const lab = await labFor(context);
  const asked = { stream: true, stream_options: { include_usage: true } };
  const never = await (await ask(lab, place, chat("[lab:no-usage]", asked))).text();
  assert.ok(!never.includes("usage"));
  assert.equal(pick(await askJson(lab, place, chat("[lab:no-usage]")), "usage"), undefined);
  const late = valuesIn(await (await ask(lab, place, chat("[lab:late-usage]", asked))).text());
  assert.equal(pick(late.at(-1), "choices.0.finish_reason"), "stop");
  assert.equal(pick(late.at(-1), "usage.completion_tokens"), 12);
  assert.equal(pick(late.at(-2), "usage"), undefined);
});

test("several choices differ, and are counted together", async (context) => {
  const lab = await labFor(context);
  const reply = await askJson(lab, place, chat("x", { n: 3 }));
  const texts = [0, 1, 2].map((index) => pick(reply, `choices.${index}.message.content`));
  assert.equal(new Set(texts).size, 3);
  assert.equal(pick(reply, "usage.completion_tokens"), 36);
  const chunks = valuesIn(await (await ask(lab, place, chat("x", { n: 3, stream: true }))).text());
  const streamed = [0, 1, 2].map((index) =>
    chunks.map((chunk) => (pick(chunk, "choices.0.index") === index ? (pick(chunk, "choices.0.delta.content") ?? "") : "")).join(""),
  );
  assert.deepEqual(streamed, texts);
});

test("log probabilities come in the shape of chats, whole and streamed", async (context) => {
  const lab = await labFor(context);
  const asked = { logprobs: true, top_logprobs: 2, max_tokens: 3 };
  const reply = await askJson(lab, place, chat("x", asked));
  const content = pick(reply, "choices.0.logprobs.content");
  assert.ok(Array.isArray(content) && content.length === 3);
  assert.equal(pick(content, "0.token"), " river");
  assert.deepEqual(pick(content, "0.bytes"), [...Buffer.from(" river")]);
  assert.deepEqual(pick(content, "0.top_logprobs.0.token"), " river");
  assert.equal(pick(content, "0.top_logprobs.length"), 2);
  assert.equal(pick(reply, "choices.0.logprobs.refusal"), null);
  const chunks = valuesIn(await (await ask(lab, place, chat("x", { ...asked, stream: true }))).text());
  assert.deepEqual(
    chunks.flatMap((chunk) => pick(chunk, "choices.0.logprobs.content") ?? []),
    content,
  );
});

const tools = [
  { type: "function", function: { name: "weather", parameters: { type: "object", properties: { place: { type: "string" } } } } },
];

test("a tool is called on request, in fragments, and not again after its result", async (context) => {
  const lab = await labFor(context);
  const reply = await askJson(lab, place, chat("[lab:tool=weather]", { tools }));
  assert.deepEqual([pick(reply, "choices.0.finish_reason"), pick(reply, "choices.0.message.content")], ["tool_calls", null]);
  const called = pick(reply, "choices.0.message.tool_calls.0");
  assert.deepEqual([pick(called, "type"), pick(called, "function.name")], ["function", "weather"]);
  assert.deepEqual(JSON.parse(String(pick(called, "function.arguments"))), { place: "river stone" });

  const chunks = valuesIn(await (await ask(lab, place, chat("[lab:tool=weather]", { tools, stream: true }))).text());
  const deltas = chunks.flatMap((chunk) => pick(chunk, "choices.0.delta.tool_calls") ?? []);
  assert.equal(deltas.map((delta) => pick(delta, "function.arguments")).join(""), pick(called, "function.arguments"));
  assert.ok(deltas.length > 3);
  assert.equal(lab.calls()[1]?.completionTokens, pick(reply, "usage.completion_tokens"));

  const messages = [
    { role: "user", content: "[lab:tool=weather]" },
    { role: "assistant", content: null, tool_calls: [called] },
    { role: "tool", tool_call_id: "x", content: "sunny" },
  ];
  assert.equal(pick(await askJson(lab, place, chat("", { messages, tools })), "choices.0.message.content"), said(12));
  assert.equal(pick(await askJson(lab, place, chat("[lab:tool=weather]")), "choices.0.finish_reason"), "stop");
});

test("images that were seen are named", async (context) => {
  const lab = await labFor(context);
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const content = [{ type: "text", text: "What is it?" }, image, image];
  const reply = await askJson(lab, place, chat("", { messages: [{ role: "user", content }], max_tokens: 3 }));
  assert.equal(pick(reply, "choices.0.message.content"), " image image river");
});

test("what the real upstream refuses is refused", async (context) => {
  const lab = await labFor(context);
  const statuses = [];
  for (const body of [
    { model: "x" },
    { messages: [{ role: "user", content: "x" }] },
    chat("x", { stream_options: { include_usage: true } }),
  ])
    statuses.push((await ask(lab, place, body)).status);
  assert.deepEqual(statuses, [400, 400, 400]);
  const refused = await ask(lab, place, chat("x"), { authorization: "Bearer wrong-key" });
  assert.equal(refused.status, 401);
  assert.match(await refused.text(), /wrong-key.*invalid_api_key/);
  assert.equal((await ask(lab, "openai/v1/nothing", chat("x"))).status, 404);
});
