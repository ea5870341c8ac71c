import assert from "node:assert/strict";
import { test } from "node:test";
import { createStub } from "../../lab/stub.ts";
import { ask, callOf, secret, serve, textOfStream, workOf } from "./call/call.fixture.ts";
import { openAiCompatible } from "./openai-compatible.ts";

test("a call passes in the client's own bytes, with the upstream's model and key", async (context) => {
  const reply = { id: "1", choices: [{ message: { content: "hi" } }], usage: { total_tokens: 3 } };
  const stub = await createStub(() => ({ headers: { "content-type": "application/json" }, body: reply }));
  context.after(() => stub.close());
  const json = Buffer.from('{ "model":"upstream-model",\n"messages":[],"odd":1 }');
  const answer = await ask(openAiCompatible, `${stub.url}/v1/`, callOf("chat", { messages: [] }, { json, headers: { "x-trace": "7" } }));
  assert.ok(answer.state === "whole");
  assert.deepEqual(answer.value, reply);
  const [request] = stub.requests;
  assert.equal(request?.url, "/v1/chat/completions");
  assert.equal(Number(request?.headers["content-length"]), json.byteLength);
  assert.deepEqual(request?.body, { model: "upstream-model", messages: [], odd: 1 });
  assert.deepEqual([request?.headers.authorization, request?.headers["x-trace"]], [`Bearer ${secret}`, "7"]);
});

test("a key that is refused is an upstream's trouble, and neither it nor its message reaches the client", async (context) => {
  const stub = await createStub(() => ({
    status: 401,
    body: {
      error: { message: `Incorrect API key provided: ${secret}. You can find it at https://a.example.com.`, code: "invalid_api_key" },
    },
  }));
  context.after(() => stub.close());
  const answer = await ask(openAiCompatible, stub.url, callOf("chat", {}));
  assert.ok(answer.state === "refused");
  assert.equal(answer.refusal.class, "auth");
  assert.doesNotMatch(JSON.stringify(answer), /sk-test|0123456789/);
  assert.doesNotMatch(answer.refusal.says ?? "", /key|example/i);
});

test("a key that is repeated in a message about a wrong request is blotted out of it", async (context) => {
  const stub = await createStub(() => ({ status: 400, body: { error: { message: `Bad value for ${secret}: 'size' is wrong.` } } }));
  context.after(() => stub.close());
  const answer = await ask(openAiCompatible, stub.url, callOf("image", {}));
  assert.ok(answer.state === "refused");
  assert.equal(answer.refusal.class, "invalid");
  assert.match(answer.refusal.says ?? "", /^Bad value for \*+: 'size' is wrong\.$/);
  assert.doesNotMatch(JSON.stringify(answer), /sk-test|0123456789/);
});

test("a stream comes through byte for byte", async (context) => {
  const pieces = ['data: {"choices":[{"delta":{"content":"h', 'i"}}]}\n\n', "data: [DONE]\n\n"];
  const { url } = await serve(context, () => ({ mime: "text/event-stream; charset=utf-8", pieces }));
  const answer = await ask(openAiCompatible, url, callOf("chat", { stream: true }));
  assert.equal(await textOfStream(answer), pieces.join(""));
});

test("an error in place of a stream is a refusal, before any byte", async (context) => {
  const { url } = await serve(context, () => ({ pieces: ['{"error":{"code":"insufficient_quota","message":"no money"}}'] }));
  const answer = await ask(openAiCompatible, url, callOf("chat", { stream: true }));
  assert.equal(answer.state === "refused" && answer.refusal.class, "quota");
});

test("speech is passed on as it comes, under its own type", async (context) => {
  const { url, sent } = await serve(context, () => ({ mime: "audio/mpeg", pieces: [Buffer.from([1, 2]), Buffer.from([3])] }));
  const answer = await ask(openAiCompatible, url, callOf("speech", { input: "hi", voice: "nova" }));
  assert.equal(answer.state === "stream" && answer.mime, "audio/mpeg");
  assert.equal(await textOfStream(answer), "\u0001\u0002\u0003");
  assert.equal(sent[0]?.headers.accept, "*/*");
});

test("a file goes as a form with the upstream's model, and captions come back as text", async (context) => {
  const { url, sent } = await serve(context, () => ({ mime: "text/vtt", pieces: ["WEBVTT\n"] }));
  const files = [{ field: "file", name: "a.wav", mime: "audio/wav", bytes: Buffer.from("RIFF") }];
  const answer = await ask(openAiCompatible, url, callOf("transcription", { response_format: "vtt" }, { files }));
  assert.equal(answer.state === "whole" && Buffer.from(answer.body).toString(), "WEBVTT\n");
  assert.match(sent[0]?.headers["content-type"] ?? "", /^multipart\/form-data; boundary=/);
  assert.match(sent[0]?.text ?? "", /name="model"\r\n\r\nupstream-model\r\n/);
  assert.match(sent[0]?.text ?? "", /name="file"; filename="a\.wav"\r\ncontent-type: audio\/wav\r\n\r\nRIFF/);
});

test("an upstream without a key is asked without one", async (context) => {
  const { url, sent } = await serve(context, () => ({ pieces: ['{"choices":[]}'] }));
  await ask(openAiCompatible, url, callOf("chat", {}), workOf({ credential: { id: "none", secret: "" } }));
  assert.equal(sent[0]?.headers.authorization, undefined);
});
