import assert from "node:assert/strict";
import { test } from "node:test";
import { embed } from "./embedding.ts";

const run = async (texts: string[]) => {
  const progress: number[] = [];
  const result = await embed({ engine: "embedding", outDir: "", texts }, (value) => void progress.push(value));
  return { ...result, progress };
};
const likeness = (one: number[] = [], other: number[] = []) => one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");

test("texts that mean the same lie close together and others far apart", async () => {
  const { vectors, progress } = await run(["A cat sits on the mat", "A kitten is resting on the rug", "The stock market crashed today"]);
  assert.deepEqual(
    vectors.map((vector) => vector.length),
    [384, 384, 384],
  );
  for (const vector of vectors) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-9);
  assert.ok(likeness(vectors[0], vectors[1]) > 0.5);
  assert.ok(likeness(vectors[0], vectors[2]) < 0.3);
  assert.equal(progress.length, 3);
  assert.equal(progress.at(-1), 100);
});

test("a text is read up to the model's window and counted as far as it was read", async () => {
  const fits = await run([words(254)]);
  const over = await run([`${words(254)} cat`]);
  const inside = await run([`${words(253)} cat`]);
  assert.deepEqual([fits.tokens, over.tokens, inside.tokens], [256, 256, 256]);
  assert.deepEqual(over.vectors, fits.vectors);
  assert.notDeepEqual(inside.vectors, fits.vectors);
});

test("empty and unusual texts have a vector too", async () => {
  const { vectors, tokens } = await run(["", "\u0000\u0001", "😀\ud800", "日本語"]);
  assert.equal(vectors.length, 4);
  assert.ok(vectors.flat().every(Number.isFinite));
  assert.equal(tokens, 2 + 2 + 3 + 5);
});
