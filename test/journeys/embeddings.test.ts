import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startCallGateway } from "../support/call-gateway.ts";
import type { PlainError } from "../support/wire.ts";

const { client, lab, end } = await startCallGateway();
after(end);

const path = "/v1/embeddings";
type Embeddings<V = number[]> = {
  object: string;
  data: { object: string; index: number; embedding: V }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number; cost: number };
};

test("a text becomes one vector of numbers, with its use and cost", async () => {
  const { status, body, headers } = await client.post<Embeddings>(path, { model: "lab-embed", input: "a fox in the snow" });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).toSorted(), ["data", "model", "object", "usage"]);
  assert.deepEqual([body.object, body.model, body.data.length], ["list", "lab-embed", 1]);
  const [first] = body.data;
  assert.deepEqual([first?.object, first?.index, first?.embedding.length], ["embedding", 0, 384]);
  assert.ok(first?.embedding.every((value) => typeof value === "number" && Math.abs(value) <= 1));
  const { prompt_tokens: prompt, total_tokens: all, cost } = body.usage;
  assert.deepEqual([prompt, all, cost], [5, 5, 0.0000001]);
  assert.deepEqual([headers.get("x-genway-cost"), headers.get("x-genway-provider")], ["0.0000001", "openai"]);
});

test("base64 holds the same numbers in little-endian floats", async () => {
  const plain = (await client.post<Embeddings>(path, { model: "lab-embed", input: "x", dimensions: 8 })).body;
  const { body } = await client.post<Embeddings<string>>(path, {
    model: "lab-embed",
    input: "x",
    dimensions: 8,
    encoding_format: "base64",
  });
  const bytes = Buffer.from(body.data[0]?.embedding ?? "", "base64");
  assert.equal(bytes.length, 32);
  assert.deepEqual(
    Array.from({ length: 8 }, (_, index) => bytes.readFloatLE(index * 4)),
    plain.data[0]?.embedding,
  );
});

test("inputs are one text, several, tokens, or several lists of tokens", async () => {
  const cases: [unknown, number, number][] = [
    ["one", 1, 1],
    [["one", "two", "one"], 3, 3],
    [[5, 6, 7], 1, 3],
    [[[5], [6, 7]], 2, 3],
  ];
  for (const [input, count, tokens] of cases) {
    const { status, body, text } = await client.post<Embeddings>(path, { model: "lab-embed", input });
    assert.equal(status, 200, text);
    assert.deepEqual(
      body.data.map(({ index }) => index),
      Array.from({ length: count }, (_, index) => index),
    );
    assert.equal(body.usage.prompt_tokens, tokens);
  }
  const { data } = (await client.post<Embeddings>(path, { model: "lab-embed", input: ["one", "two", "one"] })).body;
  assert.deepEqual(data[0]?.embedding, data[2]?.embedding);
  assert.notDeepEqual(data[0]?.embedding, data[1]?.embedding);
});

test("upstreams of other dialects give the same form", async () => {
  for (const model of ["gemini-embed", "ollama-lab"]) {
    const { status, body, text } = await client.post<Embeddings>(path, { model, input: ["one", "two"] });
    assert.equal(status, 200, text);
    assert.deepEqual([body.object, body.model, body.data.length], ["list", model, 2]);
    assert.deepEqual(
      body.data.map(({ index, object }) => [index, object]),
      [
        [0, "embedding"],
        [1, "embedding"],
      ],
    );
    assert.ok(body.data.every(({ embedding }) => embedding.length > 0 && embedding.every(Number.isFinite)));
    assert.ok(Number.isInteger(body.usage.prompt_tokens) && body.usage.total_tokens === body.usage.prompt_tokens && body.usage.cost >= 0);
    const packed = await client.post<Embeddings<string>>(path, { model, input: ["one"], encoding_format: "base64" });
    assert.equal(packed.status, 200, packed.text);
    const bytes = Buffer.from(packed.body.data[0]?.embedding ?? "", "base64");
    assert.equal(bytes.length, (body.data[0]?.embedding.length ?? 0) * 4);
    assert.ok(Math.abs(bytes.readFloatLE(0) - (body.data[0]?.embedding[0] ?? 9)) < 1e-6);
  }
});

test("an upstream that never tells the use is counted", async () => {
  const { body } = await client.post<Embeddings>(path, { model: "lab-embed", input: "hello there [lab:no-usage]" });
  const call = lab.calls().at(-1);
  assert.equal(body.usage.prompt_tokens, call?.promptTokens);
  assert.equal(body.usage.cost, Number(((call?.promptTokens ?? 0) * 0.00000002).toFixed(9)));
});

test("a wrong field is named", async () => {
  const good = { model: "lab-embed", input: "x" };
  const cases: [string, object][] = [
    ["model", { input: "x" }],
    ["input", { model: "lab-embed" }],
    ["input", { ...good, input: "" }],
    ["input", { ...good, input: [] }],
    ["input", { ...good, input: [""] }],
    ["input", { ...good, input: ["x", 5] }],
    ["input", { ...good, input: 5 }],
    ["input", { ...good, input: Array.from({ length: 2049 }, () => "x") }],
    ["encoding_format", { ...good, encoding_format: "hex" }],
    ["dimensions", { ...good, dimensions: 0 }],
    ["dimensions", { ...good, dimensions: "8" }],
  ];
  const calls = lab.calls().length;
  for (const [param, body] of cases) {
    const { status, body: reply, text } = await client.post<PlainError>(path, body);
    assert.equal(status, 400, `${JSON.stringify(body).slice(0, 60)} → ${text}`);
    assert.equal(reply.error.param?.split(/[./[]/)[0], param, text);
  }
  assert.equal(lab.calls().length, calls);
  const unknown = await client.post<PlainError>(path, { model: "lab-chat", input: "x" });
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "model_not_found"]);
  assert.match(unknown.body.error.message, /lab-embed/);
});

test("every reply of this journey keeps the contract", () => client.book.check());
