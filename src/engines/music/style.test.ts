import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseStyle, familyOf, siblingSeed } from "./style.ts";
import { genres, readWishes, suggestTags } from "./tag-words.ts";
import { createChance } from "../chance.ts";

test("genre words decide the style", () => {
  for (const genre of new Set(genres.values())) assert.equal(chooseStyle(genre, 1).name, genre);
  assert.equal(chooseStyle("Hip-Hop, dark", 1).name, "hiphop");
  assert.equal(chooseStyle("lo-fi beats to study", 1).name, "lofi");
});

test("mood words change tempo and scale", () => {
  for (let seed = 0; seed < 20; seed++) {
    assert.ok(chooseStyle("pop, fast", seed).bpm > chooseStyle("pop, slow", seed).bpm);
    assert.equal(chooseStyle("pop, sad", seed).mode, "minor");
    assert.equal(chooseStyle("pop, happy", seed).mode, "major");
  }
});

test("instrument words are played, tempo and key are obeyed", () => {
  const style = chooseStyle("folk, violin, piano, 97 bpm, in F# minor", 4);
  assert.equal(style.programs.lead, 40);
  assert.equal(style.programs.chords, 0);
  assert.equal(style.bpm, 97);
  assert.equal(style.key, 6);
  assert.equal(chooseStyle("rock, no drums", 4).drums, false);
});

test("a sibling seed keeps key, tempo and instruments", () => {
  const seed = 123_456_789;
  const sibling = siblingSeed(seed, "from 12 s");
  assert.notEqual(sibling, seed);
  assert.ok(sibling <= 0x7fffffff);
  assert.equal(familyOf(sibling), familyOf(seed));
  assert.deepEqual(chooseStyle("jazz", sibling), chooseStyle("jazz", seed));
});

test("suggested tags repeat what a text names and complete it to a genre, a mood and an instrument", () => {
  const tags = suggestTags("a melancholy jazz tune with trumpet", createChance("t"));
  assert.deepEqual(tags, ["jazz", "sad", "trumpet"]);
  const free = suggestTags("pizza", createChance("t"));
  assert.notEqual(readWishes(free.join(", ")).genre, null);
  assert.equal(free.length, 3);
});
