import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/call.ts";
import { callOf } from "../call/call.fixture.ts";
import { openShop, refusalIn, valueOf, type Tricks } from "./local.fixture.ts";

const places: Record<string, number[]> = { query: [1, 0], near: [0.8, 0.6], far: [0, 1], opposite: [-1, 0], same: [1.0000001, 0] };
const placing = (asked: string[][] = []): Tricks => ({
  async embedding({ texts }) {
    asked.push(texts);
    return { vectors: texts.map((text) => places[text] ?? [0, 1]), tokens: 3 * texts.length };
  },
});

test("documents come in the order of their nearness to the query, under the client's name of the model", async (t) => {
  const asked: string[][] = [];
  const shop = await openShop(t, placing(asked));
  const documents = ["opposite", { text: "near", title: "a title" }, "far", "same"];
  assert.deepEqual(valueOf(await shop.ask(callOf("rerank", { query: "query", documents, top_n: null }))), {
    id: "rerank-2",
    model: "shown-model",
    object: "list",
    results: [
      { index: 3, relevance_score: 1 },
      { index: 1, relevance_score: 0.9 },
      { index: 2, relevance_score: 0.5 },
      { index: 0, relevance_score: 0 },
    ],
    usage: { prompt_tokens: 15, total_tokens: 15 },
  });
  assert.deepEqual(asked, [["query", "opposite", "near", "far", "same"]]);
  assert.deepEqual(await shop.left(), []);
});

test("only the best are told where fewer are asked for, with their texts on request", async (t) => {
  const shop = await openShop(t, placing());
  const body = { query: "query", documents: ["far", { text: "near" }, "also far"], return_documents: true };
  const best = { index: 1, relevance_score: 0.9, document: { text: "near" } };
  assert.deepEqual(valueOf(await shop.ask(callOf("rerank", { ...body, top_n: 1 }))).results, [best]);
  const all = valueOf(await shop.ask(callOf("rerank", { ...body, top_n: 100 }))).results as JsonObject[];
  assert.deepEqual(
    all.map(({ index }) => index),
    [1, 0, 2],
    "equals keep their order",
  );
});

test("what cannot be placed is refused with the name of the field", async (t) => {
  const shop = await openShop(t, placing());
  const wrong: [string, JsonObject][] = [
    ["query", { documents: ["a"] }],
    ["query", { query: 5, documents: ["a"] }],
    ["documents", { query: "q", documents: [] }],
    ["documents", { query: "q", documents: "a" }],
    ["documents[1]", { query: "q", documents: ["a", ""] }],
    ["documents[0]", { query: "q", documents: [{ title: "a" }] }],
    ["top_n", { query: "q", documents: ["a"], top_n: 0 }],
    ["top_n", { query: "q", documents: ["a"], top_n: 1.5 }],
  ];
  for (const [param, body] of wrong) {
    const refusal = refusalIn(await shop.ask(callOf("rerank", body)));
    assert.deepEqual([refusal.class, refusal.param], ["invalid", param], JSON.stringify(body));
  }
});
