import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLines } from "./csv.ts";

test("a text that begins like a formula is shown and not run; a number stays a number", () => {
  const dangerous = ["=1+1", "+1", "-1", "@sum", "\tx", "\rx", '=cmd|"/c calc"!A0'];
  const lines = csvLines(dangerous.map((cell) => [cell])).split("\r\n");
  assert.deepEqual(lines.slice(0, 5), ["'=1+1", "'+1", "'-1", "'@sum", "'\tx"]);
  assert.equal(lines.at(-2), `"'=cmd|""/c calc""!A0"`);
  assert.equal(csvLines([[-1, -0.5, 0, 12]]), "-1,-0.5,0,12\r\n");
});

test("commas, quotes and breaks stay inside their cell, and nothing is an empty one", () => {
  assert.equal(csvLines([["a,b", 'say "x"', "two\nlines", "", null, "雪"]]), '"a,b","say ""x""","two\nlines",,,雪\r\n');
});

test("small amounts of money are written out", () => {
  assert.equal(csvLines([[1e-9, -5e-7, 0.000001, 123.456789012]]), "0.000000001,-0.0000005,0.000001,123.456789012\r\n");
});
