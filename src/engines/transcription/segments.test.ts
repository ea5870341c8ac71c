import assert from "node:assert/strict";
import { test } from "node:test";
import { cutSpans, spreadWords } from "./segments.ts";

const first = 1000;
/** The token of a time. */
const at = (seconds: number) => first + Math.round(seconds / 0.02);
const cut = (tokens: number[], seconds = 30) => cutSpans(tokens, first, seconds);

test("words between two timestamps are a segment, and a closed last one ends the window", () => {
  assert.deepEqual(cut([at(0), 1, 2, at(2), at(2.5), 3, at(4)]), {
    spans: [
      { start: 0, end: 2, tokens: [at(0), 1, 2, at(2)] },
      { start: 2.5, end: 4, tokens: [at(2.5), 3, at(4)] },
    ],
    advanceSeconds: 30,
  });
});

test("words that were not closed are left for the next window", () => {
  const { spans, advanceSeconds } = cut([at(0), 1, at(28), at(28), 2, 3]);
  assert.deepEqual(
    spans.map(({ start, end }) => [start, end]),
    [[0, 28]],
  );
  assert.equal(advanceSeconds, 28);
});

test("a window that ends with an opening timestamp goes on from there", () => {
  assert.equal(cut([at(0), 1, at(20), at(20)]).advanceSeconds, 20);
});

test("words without any closing timestamp fill the window", () => {
  assert.deepEqual(cut([at(1), 1, 2], 12), { spans: [{ start: 1, end: 12, tokens: [at(1), 1, 2] }], advanceSeconds: 12 });
});

test("nothing at all still moves on, and times never reach beyond the window", () => {
  assert.deepEqual(cut([]), { spans: [], advanceSeconds: 30 });
  assert.deepEqual(cut([at(0), 1, at(29)], 10).spans[0]?.end, 10);
});

test("the time of a segment is spread over its words by their length", () => {
  const segment = { start: 1, end: 2, text: " ab cdefghij", tokens: [], averageLogprob: 0, compressionRatio: 1, noSpeechProbability: 0 };
  assert.deepEqual(spreadWords([segment]), [
    { word: "ab", start: 1, end: 1.2 },
    { word: "cdefghij", start: 1.2, end: 2 },
  ]);
  assert.deepEqual(spreadWords([{ ...segment, text: " " }]), []);
});
