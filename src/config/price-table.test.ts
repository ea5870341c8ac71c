import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { loadText, sentencesOf } from "./config.fixture.ts";
import { decimalFromNanos, nanosFromDecimal } from "./price-table.ts";

function withPrice(kinds: string, price: string): string {
  return `local: true\nmodels: { m: { kinds: [${kinds}], routes: [{ provider: local }], price: ${price} } }\n`;
}

test("decimal USD become nano-USD exactly", () => {
  const amounts = {
    "0.15": 150_000_000,
    "0.60": 600_000_000,
    "0.000000001": 1,
    "1.1": 1_100_000_000,
    "1e-7": 100,
    "2.5E1": 25_000_000_000,
    ".5": 500_000_000,
    "3.": 3_000_000_000,
    "0": 0,
    "0.1500000000000": 150_000_000,
    "1000000": 1e15,
  };
  for (const [text, nanos] of Object.entries(amounts)) assert.equal(nanosFromDecimal(text), nanos, text);
});

test("amounts that are not exact, negative, too large or no number are refused", () => {
  for (const text of ["0.0000000001", "1e-10", "0.1234567891"])
    assert.equal(nanosFromDecimal(text), "must have at most nine decimals", text);
  for (const text of ["-1", "-0.000000001", "-0"]) assert.equal(nanosFromDecimal(text), "must not be negative", text);
  for (const text of ["", ".", "abc", "0x10", "1,5", ".inf", "e5", "1 2"])
    assert.equal(nanosFromDecimal(text), "must be an amount in USD such as 0.15", text);
  for (const text of ["1000000.000000001", "1e99"]) assert.equal(nanosFromDecimal(text), "must be at most 1000000 USD", text);
});

test("any amount of nano-USD survives being written down and read again", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 1e15 }), (nanos) => nanosFromDecimal(decimalFromNanos(nanos)) === nanos));
});

test("a price in the file is read from its digits, not from a binary fraction", async () => {
  const { models } = await loadText(withPrice("chat", "{ input_per_million: 0.15, output_per_million: 8.61 }"));
  assert.deepEqual(models[0]?.price, { input_per_million: 150_000_000, output_per_million: 8_610_000_000 });
  assert.deepEqual(await sentencesOf(withPrice("lyrics", "{ per_call: 0.1500000000000000000001 }")), [
    "models.m.price.per_call: must have at most nine decimals",
  ]);
});

test("an amount may come from the environment", async () => {
  const { models } = await loadText(withPrice("lyrics", '{ per_call: "${LYRICS_USD}" }'), { LYRICS_USD: "0.005" });
  assert.deepEqual(models[0]?.price, { per_call: 5_000_000 });
});

test("a unit that does not fit the kind is refused with those that do", async () => {
  assert.deepEqual(await sentencesOf(withPrice("video", "{ per_call: 1, per_minute: 1 }")), [
    "models.m.price.per_minute: does not fit video: video takes per_second, per_call",
  ]);
  assert.deepEqual(await sentencesOf(withPrice("speech", "{ per_secnd: 1, per_call: 1 }")), [
    'models.m.price.per_secnd: is not a setting here; did you mean "per_second"?',
  ]);
});

test("every kind of a model must be paid for", async () => {
  assert.deepEqual(await sentencesOf(withPrice("video, image", "{ per_second: 1 }")), [
    "models.m.price: says nothing about image: image takes per_image, per_call",
  ]);
  await loadText(withPrice("video, image", "{ per_second: 1, per_image: 0.5 }"));
  await loadText(withPrice("video, image, chat", "{ per_call: 1 }"));
});

test("text is priced for what goes in and for what comes out", async () => {
  for (const kind of ["chat", "completion"]) {
    assert.deepEqual(await sentencesOf(withPrice(kind, "{ output_per_million: 1 }")), [
      "models.m.price: has output_per_million without input_per_million; write 0 for what costs nothing",
    ]);
  }
  await loadText(withPrice("embedding", "{ input_per_million: 0.02 }"));
  await loadText(withPrice("chat", "{ input_per_million: 0, output_per_million: 1 }"));
});
