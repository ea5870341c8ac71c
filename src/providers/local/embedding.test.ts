import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/call.ts";
import { callOf } from "../call/call.fixture.ts";
import { openShop, refusalIn, valueOf, type Tricks } from "./local.fixture.ts";

const vector = Array.from({ length: 384 }, (_, at) => (at < 2 ? [0.6, 0.8][at] : 0) ?? 0);
const placing: Tricks = { embedding: async ({ texts }) => ({ vectors: texts.map(() => vector), tokens: 5 * texts.length }) };

test("texts become numbered vectors with their use", async (t) => {
  const shop = await openShop(t, placing);
  assert.deepEqual(valueOf(await shop.ask(callOf("embedding", { input: ["a", "b"] }))), {
    object: "list",
    data: [0, 1].map((index) => ({ object: "embedding", index, embedding: vector })),
    model: "shown-model",
    usage: { prompt_tokens: 10, total_tokens: 10 },
  });
  assert.deepEqual(await shop.left(), []);
});

test("fewer dimensions are the first ones, of length 1 again", async (t) => {
  const shop = await openShop(t, placing);
  const { data } = valueOf(await shop.ask(callOf("embedding", { input: "a", dimensions: 1 })));
  assert.deepEqual((data as JsonObject[])[0]?.embedding, [1]);
  for (const dimensions of [0, 385, 1.5]) {
    const refusal = refusalIn(await shop.ask(callOf("embedding", { input: "a", dimensions })));
    assert.deepEqual([refusal.class, refusal.param], ["invalid", "dimensions"]);
  }
});

test("base64 holds the same numbers as little-endian floats", async (t) => {
  const shop = await openShop(t, placing);
  const { data } = valueOf(await shop.ask(callOf("embedding", { input: "a", encoding_format: "base64" })));
  const bytes = Buffer.from(String((data as JsonObject[])[0]?.embedding), "base64");
  assert.equal(bytes.length, 384 * 4);
  assert.deepEqual([bytes.readFloatLE(0), bytes.readFloatLE(4)], [Math.fround(0.6), Math.fround(0.8)]);
});

test("tokens of another vocabulary are not understood", async (t) => {
  const shop = await openShop(t, placing);
  for (const input of [[1, 2], [[1, 2]]]) assert.equal(refusalIn(await shop.ask(callOf("embedding", { input }))).class, "unsupported");
  assert.equal(refusalIn(await shop.ask(callOf("embedding", { input: "" }))).class, "invalid");
});
