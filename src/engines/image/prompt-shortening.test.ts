import assert from "node:assert/strict";
import { test } from "node:test";
import { shortenPrompt } from "./prompt-shortening.ts";

const long =
  "a beautiful highly detailed painting of an old lighthouse on a rocky coast, during a violent storm at night, dramatic light, 8k";

test("up to five prompts come of one, each shorter than the one before and in its order of words", () => {
  const texts = shortenPrompt(long);
  assert.ok(texts.length >= 4 && texts.length <= 5, String(texts.length));
  texts.forEach((text, at) => assert.ok(text.length < (texts[at - 1] ?? long).length, text));
  const order = long.split(/\W+/);
  for (const text of texts) {
    const places = text.split(/\W+/).map((word) => order.indexOf(word));
    assert.ok(
      places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1)),
      text,
    );
  }
});

test("what names things stays longest, what joins and praises goes first", () => {
  const texts = shortenPrompt(long);
  for (const text of texts.slice(0, 4)) assert.match(text, /lighthouse/);
  assert.match(texts[1] ?? "", /lighthouse.*storm.*night/);
  for (const text of texts.slice(1)) assert.doesNotMatch(text, /\b(a|of|an|beautiful|8k)\b/);
});

test("commas between what stays remain, and writing without spaces gets none", () => {
  assert.equal(shortenPrompt("red car, of the city")[0], "red car, city");
  const texts = shortenPrompt("夜の海と月の光");
  assert.ok(
    texts.every((text) => !text.includes(" ") && text.length < 7),
    texts.join(),
  );
});

test("a prompt that cannot be shorter stays as it is", () => {
  assert.deepEqual(shortenPrompt(" cat "), ["cat"]);
  assert.deepEqual(shortenPrompt("red cat"), ["cat"]);
});
