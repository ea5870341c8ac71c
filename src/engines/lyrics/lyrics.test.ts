import assert from "node:assert/strict";
import { test } from "node:test";
import { writeLyrics } from "./lyrics.ts";

test("a text has a title, marked sections and the words of its prompt", () => {
  const { title, text, tags } = writeLyrics({ prompt: "a sad song about a lighthouse keeper" });
  assert.notEqual(title, "");
  for (const marker of ["[Verse 1]", "[Chorus]", "[Verse 2]", "[Bridge]"]) assert.ok(text.includes(marker), `${marker} is missing`);
  assert.ok(text.includes("the lighthouse keeper"));
  assert.ok(tags.includes("sad"));
});

test("the same prompt and seed give the same text, another seed another one", () => {
  assert.deepEqual(writeLyrics({ prompt: "paper boats", seed: 5 }), writeLyrics({ prompt: "paper boats", seed: 5 }));
  assert.notEqual(writeLyrics({ prompt: "paper boats", seed: 5 }).text, writeLyrics({ prompt: "paper boats", seed: 6 }).text);
});

test("prompts in other scripts, without words, or very long are all sung about", () => {
  assert.ok(writeLyrics({ prompt: "月光下的海洋" }).text.includes("海洋"));
  assert.ok(writeLyrics({ prompt: "Песня про старый маяк" }).text.includes("маяк"));
  assert.ok(writeLyrics({ prompt: "🎉🎉" }).text.includes("[Chorus]"));
  assert.ok(writeLyrics({ prompt: "word ".repeat(200_000) }).text.length < 5000);
});

test("genre names are tags, not topics", () => {
  const { text, tags } = writeLyrics({ prompt: "hip hop about pizza" });
  assert.ok(tags.includes("hip hop"));
  assert.ok(text.includes("pizza"));
  assert.ok(!/\bhop\b/.test(text));
});
