import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startCallGateway } from "../support/call-gateway.ts";
import type { PlainError, Quote } from "../support/wire.ts";

const priced = "price: { input_per_million: 0.15, output_per_million: 0.60 }";
const { client, key, end } = await startCallGateway({
  models: [
    `"gpt-*": { kinds: [chat], routes: [{ provider: openai, model: lab-chat }], ${priced} }`,
    '"mute": { kinds: [speech], routes: [{ provider: anthropic }], price: free }',
  ],
});
after(end);

type Model = { id: string; object: string; created: number; owned_by: string; kinds: string[] };
type Models = { object: string; data: Model[] };

test("every model is listed once, in OpenAI's form, with what it can do", async () => {
  const { status, body } = await client.get<Models>("/v1/models");
  assert.deepEqual([status, body.object], [200, "list"]);
  const kinds = Object.fromEntries(body.data.map((model) => [model.id, model.kinds]));
  assert.equal(Object.keys(kinds).length, body.data.length);
  for (const model of body.data) {
    assert.deepEqual(Object.keys(model).toSorted(), ["created", "id", "kinds", "object", "owned_by"]);
    assert.deepEqual([model.object, Number.isInteger(model.created), typeof model.owned_by], ["model", true, "string"]);
  }
  const expected: Record<string, string[]> = {
    "lab-chat": ["chat", "completion"],
    "lab-embed": ["embedding"],
    "lab-image": ["image"],
    "lab-speech": ["speech"],
    "lab-transcription": ["transcription"],
    "lab-moderation": ["moderation"],
    "lab-rerank": ["rerank"],
    "claude-lab": ["chat"],
    "gemini-embed": ["embedding"],
    "ollama-lab": ["chat", "completion", "embedding"],
    "eleven-lab": ["speech"],
    "gpt-*": ["chat"],
    "gen4.5": ["video"],
  };
  for (const [id, list] of Object.entries(expected)) assert.deepEqual(kinds[id]?.toSorted(), list, id);
});

test("a model behind a pattern can be looked up and used under its own name", async () => {
  const { status, body } = await client.get<Model>("/v1/models/gpt-4o-mini");
  assert.deepEqual([status, body.id, body.kinds], [200, "gpt-4o-mini", ["chat"]]);
  const asked = { model: "gpt-4o-mini", messages: [{ role: "user", content: "hi" }] };
  const chat = await client.post<{ model: string }>("/v1/chat/completions", asked);
  assert.deepEqual([chat.status, chat.body.model], [200, "gpt-4o-mini"]);
  const { text } = await client.post("/v1/chat/completions", { ...asked, stream: true });
  assert.doesNotMatch(text, /lab-chat/);
  assert.match(text, /"model":"gpt-4o-mini"/);
});

test("an unknown one is not found, and says what there is", async () => {
  const { status, body } = await client.get<PlainError>("/v1/models/nonsense");
  assert.deepEqual([status, body.error.code], [404, "model_not_found"]);
  assert.match(body.error.message, /Available: .*gen4\.5/);
});

test("each operation offers only models that can do it", async () => {
  const cases: [string, object, RegExp, RegExp][] = [
    ["/v1/completions", { prompt: "x" }, /lab-chat.*ollama-lab/, /claude-lab|lab-embed/],
    ["/v1/chat/completions", { messages: [{ role: "user", content: "x" }] }, /lab-chat.*claude-lab/, /lab-embed|lab-speech/],
    ["/v1/responses", { input: "x" }, /lab-chat.*claude-lab/, /lab-embed/],
    ["/v1/embeddings", { input: "x" }, /lab-embed.*gemini-embed/, /lab-chat/],
    ["/v1/images/generations", { prompt: "x" }, /lab-image/, /lab-chat/],
    ["/v1/audio/speech", { input: "x", voice: "y" }, /lab-speech.*eleven-lab/, /lab-chat/],
    ["/v1/moderations", { input: "x" }, /lab-moderation/, /lab-chat/],
    ["/v1/rerank", { query: "x", documents: ["y"] }, /lab-rerank/, /lab-chat/],
  ];
  for (const [path, body, offered, others] of cases) {
    const reply = await client.post<PlainError>(path, { model: "nonsense", ...body });
    assert.deepEqual(
      [reply.status, reply.body.error?.code, reply.body.error?.param],
      [404, "model_not_found", "model"],
      `${path} ${reply.text}`,
    );
    assert.match(reply.body.error.message, offered);
    assert.doesNotMatch(reply.body.error.message, others);
  }
});

test("a model whose upstream cannot do the operation says so", async () => {
  const { status, body, text } = await client.post<PlainError>("/v1/audio/speech", { model: "mute", input: "x", voice: "alloy" });
  assert.deepEqual([status, body.error?.code, body.error?.param], [400, "not_supported", "model"], text);
});

test("a key limited to some models sees and uses those alone", async () => {
  const limited = client.as(await key({ models: ["lab-embed", "gpt-4o"] }));
  const { data } = (await limited.get<Models>("/v1/models")).body;
  assert.deepEqual(data.map(({ id }) => id).toSorted(), ["gpt-4o", "lab-embed"]);
  assert.equal((await limited.get("/v1/models/lab-chat")).status, 404);
  assert.equal((await limited.post("/v1/embeddings", { model: "lab-embed", input: "x" })).status, 200);
  const refused = await limited.post<PlainError>("/v1/chat/completions", { model: "lab-chat", messages: [{ role: "user", content: "x" }] });
  assert.deepEqual([refused.status, refused.body.error.code, refused.body.error.param], [403, "not_allowed", "model"]);
});

test("the most that a call can cost can be asked for before", async () => {
  const quotes: [string, object, number][] = [
    ["/v1/images/generations", { model: "lab-image", prompt: "x", n: 3 }, 0.12],
    ["/v1/images/edits", { model: "lab-image", prompt: "x", n: "2" }, 0.08],
    ["/v1/images/variations", { model: "lab-image", n: 2 }, 0.08],
    ["/v1/audio/speech", { model: "lab-speech", input: "x".repeat(1000), voice: "alloy" }, 0.015],
  ];
  for (const [path, body, amount] of quotes) {
    const { status, body: quote, text } = await client.post<Quote>("/v1/quote", { path, body });
    assert.equal(status, 200, text);
    assert.equal(quote.amount_usd, amount);
  }
  for (const n of [0, 11, "two"]) {
    const wrong = await client.post<PlainError>("/v1/quote", { path: "/v1/images/edits", body: { model: "lab-image", prompt: "x", n } });
    assert.deepEqual([wrong.status, wrong.body.error.param], [400, "n"], wrong.text);
  }
  const asked = { model: "lab-chat", messages: [{ role: "user", content: "hi" }], max_tokens: 100 };
  const { body: quote } = await client.post<Quote>("/v1/quote", { path: "/v1/chat/completions", body: asked });
  const { body: chat } = await client.post<{ usage: { cost: number } }>("/v1/chat/completions", asked);
  assert.ok(quote.amount_usd >= chat.usage.cost && quote.amount_usd < 0.0002, `${quote.amount_usd} for ${chat.usage.cost}`);
});

test("every reply of this journey keeps the contract", () => client.book.check());
