import assert from "node:assert/strict";
import { test } from "node:test";
import { cutSentences } from "./sentences.ts";
import { spellOut } from "./spoken-text.ts";

const cases: [written: string, spoken: string][] = [
  ["Dr. Smith paid $12.50, i.e. 3%.", "doctor Smith paid twelve dollars and fifty cents, that is three percent."],
  ["It's 10:30 a.m. on the 21st of May 1984.", "It's ten thirty AM on the twenty first of May nineteen eighty four."],
  ["Version 2.0.1 costs €1.00 or £3 million.", "Version two point zero point one costs one euro or three million pounds."],
  ["1,250,007 people in 2005", "one million two hundred fifty thousand seven people in two thousand five"],
  ["Mail bob@example.com!", "Mail bob at example dot com!"],
  ["The U.S.A. at -5°C, 20 km/h", "The USA at minus five degrees celsius, twenty kilometers per hour"],
  ["naïve façade — Straße, “quoted” ‘text’", "naive facade, Strasse, quoted text"],
  ["rock 'n' roll and mother-in-law's", "rock n roll and mother-in-law's"],
  ["007 and 4:05 and 12:00", "zero zero seven and four oh five and twelve o'clock"],
  ["\u0000\u0007Bell\ttab\r\nline\n\nNext", "Bell tab line. Next"],
  ["What?! No way!!! ...", "What? No way!"],
  ["日本語だけ 🎉", ""],
  ["$ ... ' -", ""],
];

for (const [written, spoken] of cases)
  test(`${JSON.stringify(written)} is read aloud as words`, () => assert.equal(spellOut(written), spoken));

test("sentences are cut where they end and long ones at a comma or between words", () => {
  assert.deepEqual(cutSentences("One. Two? Three!"), ["One.", "Two?", "Three!"]);
  const long = `${"word ".repeat(40)}here, ${"more ".repeat(40)}end.`;
  const pieces = cutSentences(long);
  assert.equal(pieces.join(" "), long);
  assert.ok(pieces[0]?.endsWith("here,"));
  assert.ok(pieces.every((piece) => piece.length <= 240));
  assert.equal(cutSentences("x".repeat(1000)).join(""), "x".repeat(1000));
  assert.deepEqual(cutSentences(""), []);
});
