import assert from "node:assert/strict";
import { test } from "node:test";
import { barSeconds, kindsFrom, kindsOf, layOut } from "./form.ts";
import { chooseStyle } from "./style.ts";

test("section markers of a text shape the form, whatever brackets or numbers they have", () => {
  assert.deepEqual(kindsOf("[Verse 1]\nline\n[Pre-Chorus]\n(Chorus)\nline\n[Guitar Solo]\n[Bridge]"), [
    "intro",
    "verse",
    "prechorus",
    "chorus",
    "solo",
    "bridge",
    "outro",
  ]);
});

test("a text without markers gets the usual form", () => {
  assert.deepEqual(kindsOf("just some lines\nof a song"), ["intro", "verse", "chorus", "verse", "chorus", "outro"]);
});

test("the sections fill the wished length to within three bars, one after the other", () => {
  const style = chooseStyle("pop", 3);
  for (const seconds of [8, 20, 40, 60]) {
    const sections = layOut(kindsOf(""), style, seconds);
    let bar = 0;
    for (const section of sections) {
      assert.equal(section.startBar, bar);
      assert.equal(section.steps.length, section.bars);
      bar += section.bars;
    }
    assert.ok(Math.abs(bar * barSeconds(style) - seconds) <= 3 * barSeconds(style), `${seconds} s became ${bar} bars`);
  }
});

test("a song with more sections than its length can hold still ends with its outro", () => {
  const lyrics = Array.from({ length: 30 }, (_, index) => `[Verse ${index}]\nline\n[Chorus]`).join("\n");
  const sections = layOut(kindsOf(lyrics), chooseStyle("rock", 1), 30);
  assert.equal(sections.at(-1)?.kind, "outro");
  assert.ok(sections.some((section) => section.kind === "chorus"));
});

test("a continuation goes on with the sections after the point it leaves", () => {
  const style = chooseStyle("pop", 3);
  const sections = layOut(kindsOf(""), style, 40);
  const verse = sections[1];
  assert.ok(verse);
  assert.deepEqual(kindsFrom(sections, verse.startBar + 1, "after"), ["chorus", "verse", "chorus", "outro"]);
  assert.equal(kindsFrom(sections, 1000, "after").at(-1), "outro");
  assert.equal(kindsFrom(sections, 5, "before")[0], "intro");
});
