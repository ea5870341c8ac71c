import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { imageSize } from "../support/media-probe.ts";
import type { PlainError } from "../support/wire.ts";

// No key and no configuration: what someone has who has just started the service.
const gateway = await startGateway();
after(() => gateway.end());
const client = createClient(gateway.url, null);

type Legacy = {
  tokens: string[];
  token_logprobs: (number | null)[];
  top_logprobs: (Record<string, number> | null)[];
  text_offset: number[];
};
type Choice = { text: string; index: number; logprobs: Legacy | null; finish_reason: string };
type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number; cost: number };
type Completion = {
  id: string;
  object: string;
  created: number;
  model: string;
  system_fingerprint: string;
  choices: Choice[];
  usage: Usage;
};

const asked = { model: "gpt-3.5-turbo-instruct", prompt: "Once upon a time", max_tokens: 7, temperature: 0 };

test("the reply to the four fields of the contract is the whole completion object", async () => {
  const { status, body, headers, text } = await client.post<Completion>("/v1/completions", asked);
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(body).toSorted(), ["choices", "created", "id", "model", "object", "system_fingerprint", "usage"]);
  assert.deepEqual([body.object, body.model], ["text_completion", asked.model]);
  assert.ok([body.id, body.system_fingerprint].every((value) => typeof value === "string" && value !== ""));
  assert.ok(Number.isInteger(body.created) && Math.abs(body.created - Date.now() / 1000) < 60);
  const [choice] = body.choices;
  assert.deepEqual(Object.keys(choice ?? {}).toSorted(), ["finish_reason", "index", "logprobs", "text"]);
  assert.deepEqual([body.choices.length, choice?.index, choice?.logprobs, choice?.finish_reason], [1, 0, null, "length"]);
  assert.match(choice?.text ?? "", /[a-z]{2}/);
  const { prompt_tokens: prompt, completion_tokens: said, total_tokens: all, cost } = body.usage;
  assert.deepEqual([said, all, Number.isInteger(prompt) && prompt > 0], [7, prompt + 7, true]);
  assert.equal(Math.round(cost * 1e9), prompt * 100 + said * 400, "at the prices of local mode");
  assert.deepEqual([headers.get("x-genway-provider"), headers.get("x-genway-attempts")], ["local", "1"]);
  assert.equal(Number(headers.get("x-genway-cost")), cost);
});

test("the same seed says the same, another something else", async () => {
  const textFor = async (seed: number) =>
    (await client.post<Completion>("/v1/completions", { ...asked, temperature: 1, max_tokens: 24, seed })).body.choices[0]?.text;
  const [one, again, other] = [await textFor(5), await textFor(5), await textFor(6)];
  assert.equal(one, again);
  assert.notEqual(one, other);
});

test("probabilities are those of the model: they add up, and the likeliest is chosen at temperature zero", async () => {
  const { body } = await client.post<Completion>("/v1/completions", { ...asked, logprobs: 5, echo: true });
  const { tokens = [], token_logprobs: chances = [], top_logprobs: top = [], text_offset: offsets = [] } = body.choices[0]?.logprobs ?? {};
  assert.equal(tokens.join(""), body.choices[0]?.text);
  assert.ok(body.choices[0]?.text.startsWith(asked.prompt));
  assert.equal(chances[0], null);
  const said = tokens.length - 7;
  for (const [index, token] of tokens.entries()) {
    assert.equal(body.choices[0]?.text.slice(offsets[index], (offsets[index] ?? 0) + token.length), token);
    if (index === 0) continue;
    const rivals = Object.values(top[index] ?? {});
    assert.ok(rivals.length >= 5 && rivals.length <= 6, JSON.stringify(top[index]));
    assert.ok(rivals.reduce((sum, chance) => sum + Math.exp(chance), 0) <= 1.0001);
    if (index >= said) assert.ok(Math.abs(Math.max(...rivals) - (chances[index] ?? 1)) < 1e-6, `${token} is the likeliest`);
  }
});

test("a stream says the same piece by piece", async () => {
  const whole = (await client.post<Completion>("/v1/completions", asked)).body;
  const { headers, text } = await client.post("/v1/completions", { ...asked, stream: true, stream_options: { include_usage: true } });
  assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
  const data = text
    .trimEnd()
    .split("\n\n")
    .map((event) => event.replace(/^data: /, ""));
  assert.equal(data.pop(), "[DONE]");
  const chunks = data.map((one) => JSON.parse(one) as Completion);
  assert.deepEqual([chunks.at(-1)?.choices, chunks.at(-1)?.usage], [[], whole.usage]);
  assert.equal(chunks.map(({ choices }) => choices[0]?.text ?? "").join(""), whole.choices[0]?.text);
  assert.ok(chunks.length > 4);
});

test("a client that leaves does not keep the generator busy", async () => {
  const controller = new AbortController();
  const reply = await fetch(`${gateway.url}/v1/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...asked, max_tokens: 4_000, n: 128, temperature: 1, stream: true }),
    signal: controller.signal,
  });
  await reply.body?.getReader().read();
  controller.abort();
  const started = performance.now();
  assert.equal((await client.post("/v1/completions", asked)).status, 200);
  // The one that was left would have taken more than a minute.
  assert.ok(performance.now() - started < 30_000, `the next one waited ${performance.now() - started} ms`);
});

test("every other group answers at once, under any name", async () => {
  const messages = [{ role: "user", content: "Tell me a story." }];
  const chat = await client.post<{ choices: { message: { content: string } }[] }>("/v1/chat/completions", {
    model: "any",
    messages,
    max_tokens: 8,
  });
  assert.ok((chat.body.choices[0]?.message.content ?? "") !== "", chat.text);
  const message = await client.post<{ content: { text: string }[] }>("/v1/messages", { model: "any", messages, max_tokens: 8 });
  assert.ok((message.body.content[0]?.text ?? "") !== "", message.text);
  const response = await client.post<{ status: string }>("/v1/responses", {
    model: "any",
    input: "Tell me a story.",
    max_output_tokens: 16,
  });
  assert.ok(["completed", "incomplete"].includes(response.body.status), response.text);
  const embedding = await client.post<{ data: { embedding: number[] }[] }>("/v1/embeddings", { model: "any", input: "a fox" });
  assert.ok((embedding.body.data[0]?.embedding.length ?? 0) >= 64, embedding.text);
  const image = await client.post<{ data: { url: string }[] }>("/v1/images/generations", {
    prompt: "a fox in the snow",
    size: "320x200",
    response_format: "url",
  });
  assert.ok(image.body.data[0]?.url.startsWith(`${gateway.url}/assets/`), image.text);
  const bytes = Buffer.from(await (await fetch(image.body.data[0]?.url ?? "")).arrayBuffer());
  assert.deepEqual(await imageSize(bytes), { width: 320, height: 200 });
  for (const reply of [chat, message, response, embedding, image]) assert.equal(reply.headers.get("x-genway-provider"), "local");
});

test("related texts have vectors that point the same way", async () => {
  const input = ["a dog runs in the park", "a puppy plays on the grass", "quarterly tax report"];
  const { body } = await client.post<{ data: { embedding: number[] }[] }>("/v1/embeddings", { model: "any", input });
  const [dog = [], puppy = [], tax = []] = body.data.map(({ embedding }) => embedding);
  const likeness = (one: number[], other: number[]) => one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  assert.ok(likeness(dog, puppy) > likeness(dog, tax) + 0.2, `${likeness(dog, puppy)} and ${likeness(dog, tax)}`);
});

test("what is wrong is named here too, and what cannot be done is said", async () => {
  const cases: [string, string, object][] = [
    ["/v1/completions", "prompt", { model: "any" }],
    ["/v1/completions", "n", { ...asked, n: 0 }],
    ["/v1/chat/completions", "messages", { model: "any" }],
    ["/v1/embeddings", "input", { model: "any", input: [] }],
    ["/v1/images/generations", "prompt", {}],
    ["/v1/audio/speech", "input", {}],
  ];
  for (const [path, param, body] of cases) {
    const reply = await client.post<PlainError>(path, body);
    assert.deepEqual([reply.status, reply.body.error?.param], [400, param], `${path} ${reply.text}`);
  }
});

test("every reply of this journey keeps the contract", () => client.book.check());
