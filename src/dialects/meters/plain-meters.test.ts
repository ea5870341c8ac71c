import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asked, Whole } from "../../core/meter.ts";
import { embeddingMeter, imageMeter, rerankMeter, speechMeter, transcriptionMeter } from "./plain-meters.ts";

function asking(body: Record<string, unknown>, files: Asked["files"] = []): Asked {
  return { operation: "embedding", model: "m", body, raw: null, extras: null, files, stream: false, headers: {} };
}

const whole = (value: unknown): Whole => ({ state: "whole", mime: "application/json", body: Buffer.alloc(0), value });
const file = (bytes: Uint8Array) => [{ field: "file", name: "a", mime: "audio/mpeg", bytes }];

test("what is embedded is counted as told, else by us: texts, several texts, and tokens", async () => {
  assert.deepEqual(embeddingMeter.told(asking({}), whole({ usage: { prompt_tokens: 5 } })), { inputTokens: 5 });
  assert.deepEqual(embeddingMeter.told(asking({}), whole({ usage: { total_tokens: 6 } })), { inputTokens: 6 });
  assert.equal(embeddingMeter.told(asking({}), whole({})), null);
  assert.deepEqual(await embeddingMeter.counted(asking({ input: [" river stone", " light"] }), whole({})), { inputTokens: 3 });
  assert.deepEqual(await embeddingMeter.counted(asking({ input: [[1, 2, 3], [4]] }), whole({})), { inputTokens: 4 });
});

test("a ranking counts the query and every document", async () => {
  assert.deepEqual(rerankMeter.told(asking({}), whole({ meta: { billed_units: { input_tokens: 7 } } })), { inputTokens: 7 });
  const asked = asking({ query: " river", documents: [" stone", { text: " light morning" }, { image: "x" }] });
  assert.deepEqual(await rerankMeter.counted(asked, whole({})), { inputTokens: 4 });
});

test("pictures are reserved by how many were asked for and paid by how many came", () => {
  assert.deepEqual(imageMeter.most(asking({ n: 3 })), { images: 3 });
  assert.deepEqual(imageMeter.most(asking({})), { images: 1 });
  assert.deepEqual(imageMeter.most(asking({ n: "4" })), { images: 4 });
  assert.deepEqual(imageMeter.told(asking({ n: 3 }), whole({ data: [{}, {}] })), { images: 2 });
});

test("speech is counted in characters, not in bytes or halves of them", () => {
  assert.deepEqual(speechMeter.most(asking({ input: "é😀a" })), { characters: 3 });
  assert.deepEqual(speechMeter.stream(asking({ input: "abc" }), null).told(), { characters: 3 });
});

test("a recording is paid by its length as told, else by what the file shows, and never reserved for less", async () => {
  const asked = asking({}, file(new Uint8Array(160_000)));
  assert.deepEqual(transcriptionMeter.told(asked, whole({ duration: 9.5 })), { seconds: 9.5 });
  assert.deepEqual(transcriptionMeter.told(asked, whole({ usage: { type: "duration", seconds: 10 } })), { seconds: 10 });
  assert.equal(transcriptionMeter.told(asked, whole("plain text")), null);
  const { seconds = 0 } = await transcriptionMeter.counted(asked, whole({}));
  assert.equal(seconds, 10);
  assert.ok((transcriptionMeter.most(asked).seconds ?? 0) >= seconds);
  assert.deepEqual(transcriptionMeter.most(asking({})), { seconds: 0 });
});
