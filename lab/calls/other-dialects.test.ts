import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaBytes } from "../media.ts";
import { ask, askJson, eventsIn, keyHeaders, labFor, pick, valuesIn } from "./ask.fixture.ts";
import { encode, loadTokens } from "./tokens.ts";
import { plainWords } from "./words.ts";

await loadTokens();
const said = (count: number) => plainWords.slice(0, count).join("");
const schema = { type: "object", properties: { place: { type: "string" } } };
const input = { place: "river stone" };

const messages = (prompt: string, more: object = {}) => ({
  model: "claude-lab",
  max_tokens: 100,
  messages: [{ role: "user", content: prompt }],
  ...more,
});

test("Anthropic: a message, its usage, and how it stopped", async (context) => {
  const lab = await labFor(context);
  const place = "anthropic/v1/messages";
  const reply = await askJson(lab, place, messages("x", { system: "Be brief." }));
  assert.deepEqual(pick(reply, "content"), [{ type: "text", text: said(12) }]);
  assert.deepEqual([pick(reply, "type"), pick(reply, "role"), pick(reply, "stop_reason")], ["message", "assistant", "end_turn"]);
  assert.equal(pick(reply, "usage.input_tokens"), 3 + 4 + encode("Be brief.").length + 4 + 1);
  assert.equal(pick(reply, "usage.output_tokens"), 12);
  const stopped = await askJson(lab, place, messages("x", { stop_sequences: ["garden"] }));
  assert.deepEqual([pick(stopped, "stop_reason"), pick(stopped, "stop_sequence")], ["stop_sequence", "garden"]);
  assert.equal(pick(await askJson(lab, place, messages("x", { max_tokens: 2 })), "stop_reason"), "max_tokens");
  const counted = await askJson(lab, `${place}/count_tokens`, messages("x"));
  assert.deepEqual(counted, { input_tokens: 8 });
});

test("Anthropic: a stream has its events in order, with usage at both ends", async (context) => {
  const lab = await labFor(context);
  const text = await (await ask(lab, "anthropic/v1/messages", messages("x", { stream: true, max_tokens: 3 }))).text();
  assert.deepEqual(
    eventsIn(text).map(({ event }) => event),
    [
      "message_start",
      "content_block_start",
      "ping",
      ...Array.from({ length: 3 }, () => "content_block_delta"),
      "content_block_stop",
      "message_delta",
      "message_stop",
    ],
  );
  const values = valuesIn(text);
  assert.equal(pick(values[0], "message.usage.input_tokens"), 8);
  assert.equal(values.map((value) => pick(value, "delta.text") ?? "").join(""), said(3));
  assert.deepEqual(pick(values.at(-2), "delta"), { stop_reason: "max_tokens", stop_sequence: null });
  assert.equal(pick(values.at(-2), "usage.output_tokens"), 3);
});

test("Anthropic: tools are called in its own form, and not again after the result", async (context) => {
  const lab = await labFor(context);
  const place = "anthropic/v1/messages";
  const asked = messages("[lab:tool=weather]", { tools: [{ name: "weather", input_schema: schema }] });
  const reply = await askJson(lab, place, asked);
  assert.deepEqual(
    [pick(reply, "stop_reason"), pick(reply, "content.0.name"), pick(reply, "content.0.input")],
    ["tool_use", "weather", input],
  );
  const values = valuesIn(await (await ask(lab, place, { ...asked, stream: true })).text());
  assert.deepEqual(JSON.parse(values.map((value) => pick(value, "delta.partial_json") ?? "").join("")), input);
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "x", content: "sunny" }] };
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const first = { role: "user", content: [{ type: "text", text: "[lab:tool=weather]" }, image] };
  const told = await askJson(lab, place, { ...asked, messages: [first, result] });
  assert.match(String(pick(told, "content.0.text")), /^ image river/);
});

test("Anthropic: what it refuses is refused", async (context) => {
  const lab = await labFor(context);
  const place = "anthropic/v1/messages";
  const { "anthropic-version": _, ...noVersion } = keyHeaders["anthropic"] ?? {};
  const bare = await fetch(`${lab.url}/${place}`, { method: "POST", headers: noVersion, body: JSON.stringify(messages("x")) });
  assert.deepEqual([bare.status, pick(await bare.json(), "error.type")], [400, "invalid_request_error"]);
  assert.equal((await ask(lab, place, messages("x", { max_tokens: undefined }))).status, 400);
  assert.equal((await ask(lab, place, messages("x", { messages: [{ role: "system", content: "x" }] }))).status, 400);
  assert.equal((await ask(lab, place, messages("x"), { "x-api-key": "wrong" })).status, 401);
});

const contents = (text: string, more: object = {}) => ({ contents: [{ role: "user", parts: [{ text }] }], ...more });

test("Gemini: content, usage, and probabilities", async (context) => {
  const lab = await labFor(context);
  const place = "gemini/v1beta/models/gemini-lab:generateContent";
  const config = { maxOutputTokens: 3, responseLogprobs: true, logprobs: 2, candidateCount: 2 };
  const reply = await askJson(
    lab,
    place,
    contents("x", { generationConfig: config, systemInstruction: { parts: [{ text: "Be brief." }] } }),
  );
  assert.deepEqual(pick(reply, "candidates.0.content"), { parts: [{ text: said(3) }], role: "model" });
  assert.equal(pick(reply, "candidates.1.finishReason"), "MAX_TOKENS");
  assert.equal(pick(reply, "candidates.0.logprobsResult.chosenCandidates.2.token"), " light");
  assert.equal(pick(reply, "candidates.0.logprobsResult.topCandidates.0.candidates.length"), 2);
  assert.equal(pick(reply, "usageMetadata.promptTokenCount"), 3 + 4 + encode("Be brief.").length + 4 + 1);
  assert.equal(pick(reply, "usageMetadata.candidatesTokenCount"), 6);
  assert.equal(pick(await askJson(lab, "gemini/v1beta/models/gemini-lab:countTokens", contents("x")), "totalTokens"), 8);
});

test("Gemini: a stream is events or one array, with usage in the last chunk", async (context) => {
  const lab = await labFor(context);
  const place = "gemini/v1beta/models/gemini-lab:streamGenerateContent";
  const values = valuesIn(await (await ask(lab, `${place}?alt=sse`, contents("x"))).text());
  const array: unknown = await (await ask(lab, place, contents("x"))).json();
  assert.ok(Array.isArray(array));
  for (const chunks of [values, array]) {
    assert.equal(chunks.length, 13);
    assert.equal(chunks.map((chunk) => pick(chunk, "candidates.0.content.parts.0.text")).join(""), said(12));
    assert.deepEqual(
      [pick(chunks.at(-1), "candidates.0.finishReason"), pick(chunks.at(-1), "usageMetadata.candidatesTokenCount")],
      ["STOP", 12],
    );
    assert.equal(pick(chunks.at(-2), "usageMetadata"), undefined);
  }
});

test("Gemini: functions, images and embeddings", async (context) => {
  const lab = await labFor(context);
  const base = "gemini/v1beta/models";
  const tools = [
    { functionDeclarations: [{ name: "weather", parameters: { type: "OBJECT", properties: { place: { type: "STRING" } } } }] },
  ];
  const reply = await askJson(lab, `${base}/gemini-lab:generateContent`, contents("[lab:tool=weather]", { tools }));
  assert.deepEqual(pick(reply, "candidates.0.content.parts.0.functionCall"), { name: "weather", args: input });
  const streamed = valuesIn(
    await (await ask(lab, `${base}/gemini-lab:streamGenerateContent?alt=sse`, contents("[lab:tool=weather]", { tools }))).text(),
  );
  assert.deepEqual(pick(streamed[0], "candidates.0.content.parts.0.functionCall.args"), input);
  assert.equal(lab.calls()[1]?.completionTokens, pick(reply, "usageMetadata.candidatesTokenCount"));
  const parts = [{ text: "x" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }];
  assert.match(
    String(pick(await askJson(lab, `${base}/gemini-lab:generateContent`, { contents: [{ parts }] }), "candidates.0.content.parts.0.text")),
    /^ image river/,
  );
  const content = { parts: [{ text: "the sea" }] };
  const one = await askJson(lab, `${base}/gemini-embed:embedContent`, { content, outputDimensionality: 8 });
  const requests = [{ model: "models/gemini-embed", content, outputDimensionality: 8 }];
  const many = await askJson(lab, `${base}/gemini-embed:batchEmbedContents`, { requests });
  assert.deepEqual(pick(many, "embeddings.0.values"), pick(one, "embedding.values"));
  assert.equal(pick(one, "embedding.values.length"), 8);
  assert.equal((await ask(lab, `${base}/gemini-embed:batchEmbedContents`, { requests: [{ model: "gemini-embed", content }] })).status, 400);
});

test("Ollama: lines by default, a whole when told, counts in the last", async (context) => {
  const lab = await labFor(context);
  const asked = { model: "ollama-lab", messages: [{ role: "user", content: "x" }], options: { num_predict: 3 } };
  const reply = await ask(lab, "ollama/api/chat", asked);
  assert.equal(reply.headers.get("content-type"), "application/x-ndjson");
  const lines = (await reply.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  assert.equal(lines.map((line) => pick(line, "message.content")).join(""), said(3));
  assert.deepEqual(
    lines.map((line) => pick(line, "done")),
    [false, false, false, true],
  );
  const counts = ["done_reason", "prompt_eval_count", "eval_count"];
  assert.deepEqual(
    counts.map((name) => pick(lines.at(-1), name)),
    ["length", 8, 3],
  );
  const whole = await askJson(lab, "ollama/api/chat", { ...asked, stream: false, logprobs: true });
  assert.deepEqual([pick(whole, "message.content"), pick(whole, "eval_count"), pick(whole, "logprobs.length")], [said(3), 3, 3]);
  const generated = await askJson(lab, "ollama/api/generate", { model: "ollama-lab", prompt: "the sea", stream: false });
  assert.deepEqual([pick(generated, "response"), pick(generated, "prompt_eval_count")], [said(12), encode("the sea").length]);
  const tools = [{ type: "function", function: { name: "weather", parameters: schema } }];
  const called = await askJson(lab, "ollama/api/chat", {
    ...asked,
    messages: [{ role: "user", content: "[lab:tool=weather]" }],
    tools,
    stream: false,
  });
  assert.deepEqual(pick(called, "message.tool_calls.0.function"), { name: "weather", arguments: input });
  const embedded = await askJson(lab, "ollama/api/embed", { model: "ollama-lab", input: ["a", "b"], dimensions: 4 });
  assert.deepEqual(
    [pick(embedded, "embeddings.length"), pick(embedded, "embeddings.1.length"), pick(embedded, "prompt_eval_count")],
    [2, 4, 2],
  );
  assert.equal(pick(await (await fetch(`${lab.url}/ollama/api/tags`)).json(), "models.0.name"), "ollama-lab");
});

test("ElevenLabs: sound of the format asked for, whole and streamed", async (context) => {
  const lab = await labFor(context);
  const place = "elevenlabs/v1/text-to-speech/labvoice1";
  const asked = { text: "Grüße", model_id: "eleven-lab" };
  const reply = await ask(lab, place, asked);
  assert.deepEqual([reply.headers.get("content-type"), reply.headers.get("character-cost")], ["audio/mpeg", "5"]);
  assert.deepEqual(Buffer.from(await reply.bytes()), Buffer.from(mediaBytes("tone.mp3")));
  const pcm = Buffer.from(await (await ask(lab, `${place}/stream?output_format=pcm_24000`, asked)).bytes());
  assert.deepEqual(pcm, Buffer.from(mediaBytes("tone.wav")).subarray(44));
  for (const format of ["wav_24000", "opus_48000_32", "ulaw_8000"])
    assert.equal((await ask(lab, `${place}?output_format=${format}`, asked)).status, 200, format);
  assert.equal((await ask(lab, `${place}?output_format=midi`, asked)).status, 422);
  assert.deepEqual([lab.calls()[0]?.operation, lab.calls()[0]?.units, lab.calls()[1]?.stream], ["speech", 5, true]);
  for (const list of ["models", "voices"])
    assert.equal((await fetch(`${lab.url}/elevenlabs/v1/${list}`, { headers: keyHeaders["elevenlabs"] })).status, 200);
  const refused = await ask(lab, place, { text: "[lab:refuse=quota]" });
  assert.deepEqual([refused.status, pick(await refused.json(), "detail.status")], [401, "quota_exceeded"]);
});
