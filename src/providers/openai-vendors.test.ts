import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, callOf, serve } from "./call/call.fixture.ts";
import { adapters } from "./index.ts";
import { openAiPaths, openAiSpec } from "./openai-compatible.ts";
import { openAiVendors } from "./openai-vendors.ts";

const local = new Set(["lmstudio"]);

test("every adapter has a type of its own", () => {
  const types = adapters.map(({ type }) => type);
  assert.deepEqual(types, [...new Set(types)]);
  assert.ok(types.length > 35, String(types.length));
});

for (const vendor of openAiVendors) {
  test(`${vendor.type} has an address and operations that can be asked for`, () => {
    const url = new URL(vendor.baseUrl ?? "");
    assert.equal(url.protocol, local.has(vendor.type) ? "http:" : "https:");
    assert.ok(!url.href.endsWith("//") && url.search === "" && url.username === "" && !vendor.baseUrl?.endsWith("/"));
    assert.match(vendor.type, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.deepEqual(vendor.offers, [...new Set(vendor.offers)]);
    const { operations } = openAiSpec(vendor);
    assert.deepEqual(Object.keys(operations), [...vendor.offers]);
    const strange = [...Object.keys(vendor.quirks ?? {}), ...Object.keys(vendor.changes ?? {})].filter((name) => !(name in operations));
    assert.deepEqual(strange, []);
    for (const name of vendor.offers) {
      if (vendor.changes?.[name]?.path === undefined) assert.equal(operations[name]?.path, openAiPaths[name]);
    }
  });
}

const mistral = openAiVendors.find(({ type }) => type === "mistral");
const voyage = openAiVendors.find(({ type }) => type === "voyage");
assert.ok(mistral && voyage);

test("only where an upstream has a quirk is a request written anew", () => {
  const openai = openAiVendors.find(({ type }) => type === "openai");
  assert.ok(openai);
  assert.ok(Object.values(openAiSpec(openai).operations).every((operation) => operation.adjust === undefined));
  const adjusted = openAiSpec(mistral).operations.chat?.adjust?.({
    model: "m",
    max_completion_tokens: 5,
    seed: 7,
    stream_options: { include_usage: true },
    user: "u",
    temperature: 0,
  });
  assert.deepEqual(adjusted, { model: "m", max_tokens: 5, random_seed: 7, temperature: 0 });
});

test("a field that is there under both names keeps the upstream's own", () => {
  const body = { max_tokens: 3, max_completion_tokens: 5 };
  assert.deepEqual(openAiSpec(mistral).operations.chat?.adjust?.(body), { max_tokens: 3 });
  assert.deepEqual(body, { max_tokens: 3, max_completion_tokens: 5 });
});

test("an encoding that is the upstream's default is not named, any other is", () => {
  const adjust = openAiSpec(voyage).operations.embedding?.adjust;
  assert.deepEqual(adjust?.({ input: "a", encoding_format: "float", dimensions: 256 }), { input: "a", output_dimension: 256 });
  assert.deepEqual(adjust?.({ input: "a", encoding_format: "base64" }), { input: "a", encoding_format: "base64" });
});

test("results under another name are found", async (context) => {
  const data = [
    { index: 1, relevance_score: 0.9, document: "b" },
    { index: 0, relevance_score: 0.1 },
  ];
  const { url, sent } = await serve(context, () => ({
    pieces: [JSON.stringify({ object: "list", data, model: "r", usage: { total_tokens: 9 } })],
  }));
  const adapter = adapters.find(({ type }) => type === "voyage");
  assert.ok(adapter);
  const answer = await ask(adapter, url, callOf("rerank", { query: "q", documents: ["a", "b"], top_n: 2 }));
  assert.ok(answer.state === "whole");
  assert.deepEqual(answer.value, {
    object: "list",
    model: "r",
    usage: { total_tokens: 9 },
    results: [
      { index: 1, relevance_score: 0.9, document: { text: "b" } },
      { index: 0, relevance_score: 0.1 },
    ],
  });
  assert.deepEqual(JSON.parse(sent[0]?.text ?? ""), { model: "upstream-model", query: "q", documents: ["a", "b"], top_k: 2 });
});

test("a judgement without a conclusion gets one", () => {
  const repair = openAiSpec(mistral).operations.moderation?.repair;
  const call = callOf("moderation", { input: "x" });
  const flags = (categories: Record<string, boolean>) => repair?.({ results: [{ categories }] }, call)["results"];
  assert.deepEqual(flags({ hate: false, pii: true }), [{ flagged: true, categories: { hate: false, pii: true } }]);
  assert.deepEqual(flags({ hate: false }), [{ flagged: false, categories: { hate: false } }]);
});
