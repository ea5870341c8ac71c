import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { formatDuration, parseDuration } from "./duration.ts";

test("spans of time are read in every unit, and a bare number is seconds", () => {
  const cases: [string | number, number][] = [
    ["24h", 86_400_000],
    ["10m", 600_000],
    ["30d", 2_592_000_000],
    ["90s", 90_000],
    ["250ms", 250],
    ["1.5h", 5_400_000],
    [" 5 m ", 300_000],
    ["90", 90_000],
    [90, 90_000],
    [0.25, 250],
    [0, 0],
    ["0s", 0],
  ];
  for (const [text, ms] of cases) assert.equal(parseDuration(text), ms, String(text));
});

test("anything else is refused by name", () => {
  const wrong = [
    "",
    "h",
    "24 hours",
    "24x",
    "-1h",
    "1h30m",
    "1e3s",
    "1.s",
    ".5h",
    "24H",
    "∞",
    "1d 1h",
    -1,
    NaN,
    Infinity,
    1e300,
    "99999999999999d",
  ];
  for (const value of wrong) {
    assert.throws(
      () => parseDuration(value),
      (error: Error) => error.message.startsWith(`"${value}" is not a span of time`),
      String(value),
    );
  }
});

test("a span is written in the largest whole unit", () => {
  const cases: [number, string][] = [
    [0, "0ms"],
    [999, "999ms"],
    [1000, "1s"],
    [90_000, "90s"],
    [600_000, "10m"],
    [86_400_000, "1d"],
    [90_000_000, "25h"],
  ];
  for (const [ms, text] of cases) assert.equal(formatDuration(ms), text);
});

test("what is written is read back as the same span", () => {
  fc.assert(fc.property(fc.nat({ max: 10 ** 13 }), (ms) => parseDuration(formatDuration(ms)) === ms));
  fc.assert(
    fc.property(
      fc.nat({ max: 10_000 }),
      fc.constantFrom(1000, 60_000, 3_600_000, 86_400_000),
      (n, unit) => parseDuration(formatDuration(n * unit)) === n * unit,
    ),
  );
});
