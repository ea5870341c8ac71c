import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ask, callOf, secret, serve, textOfStream } from "../../src/providers/call/call.fixture.ts";
import { acmeWords } from "./example-call-provider.ts";

test("the example of an adapter for calls is shown as it is compiled", () => {
  const [page, example] = ["../../docs/add-a-provider.md", "./example-call-provider.ts"].map((file) =>
    readFileSync(new URL(file, import.meta.url), "utf8"),
  );
  assert.ok(page?.includes(`\`\`\`ts\n${example}\`\`\``), "docs/add-a-provider.md shows another text");
});

test("the example renames a field of a chat and passes its stream on as it is", async (context) => {
  const events = 'data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n';
  const { url, sent } = await serve(context, () => ({ mime: "text/event-stream", pieces: [events] }));
  const call = callOf("chat", { messages: [{ role: "user", content: "hello" }], max_completion_tokens: 5, stream: true });
  assert.equal(await textOfStream(await ask(acmeWords, url, call)), events);
  const [{ url: path, headers, text } = { url: "", headers: {}, text: "{}" }] = sent;
  assert.equal(path, "/chat");
  assert.equal(headers["x-api-key"], secret);
  assert.deepEqual(JSON.parse(text), {
    model: "upstream-model",
    messages: [{ role: "user", content: "hello" }],
    max_tokens: 5,
    stream: true,
  });
});

test("the example ranks in the upstream's words and answers in the dialect's", async (context) => {
  const pieces = [JSON.stringify({ ranking: [{ text: 1, score: 0.9 }], tokens_read: 7 })];
  const { url, sent } = await serve(context, () => ({ pieces }));
  const asked = { query: "winter", documents: ["a boat", "a fox in the snow"], top_n: 1 };
  const answer = await ask(acmeWords, url, callOf("rerank", asked, { model: "rank/2" }));
  assert.ok(answer.state === "whole");
  assert.deepEqual(answer.value, {
    object: "list",
    model: "shown-model",
    results: [{ index: 1, relevance_score: 0.9 }],
    usage: { prompt_tokens: 7, total_tokens: 7 },
  });
  assert.equal(sent[0]?.url, "/rank/rank%2F2");
  assert.deepEqual(JSON.parse(sent[0]?.text ?? ""), { question: "winter", texts: asked.documents, best: 1 });
});

test("the example says what it cannot do, and sends nothing then", async (context) => {
  const { url, sent } = await serve(context, () => ({ pieces: ["{}"] }));
  const answer = await ask(acmeWords, url, callOf("rerank", { query: "x", documents: ["y"], return_documents: true }));
  assert.ok(answer.state === "refused");
  assert.deepEqual([answer.refusal.class, answer.refusal.param, sent.length], ["unsupported", "return_documents", 0]);
});

test("the example tells an empty account from a full upstream", async (context) => {
  const replies = [
    { status: 402, pieces: ['{"error":{"code":"billing_error"}}'] },
    { status: 429, pieces: ['{"error":{"code":"rate_limit_exceeded"}}'] },
  ];
  const { url } = await serve(context, () => replies.shift() ?? { pieces: ["{}"] });
  const call = callOf("rerank", { query: "x", documents: ["y"] });
  const classes = [await ask(acmeWords, url, call), await ask(acmeWords, url, call)].map((answer) =>
    answer.state === "refused" ? answer.refusal.class : answer.state,
  );
  assert.deepEqual(classes, ["quota", "rate_limit"]);
});
