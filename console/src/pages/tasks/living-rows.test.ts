import assert from "node:assert/strict";
import { test } from "node:test";
import { joined, newerThan, refreshed } from "./living-rows.ts";

const rows = (...ids: string[]) => ids.map((id) => ({ id, progress: 0 }));

test("rows that did not change stay the very same", () => {
  const known = rows("5", "4", "3", "2");
  assert.equal(joined(known, { rows: rows("5", "4"), hasMore: true }), known);
});

test("new rows stand first, and those below stay", () => {
  assert.deepEqual(joined(rows("5", "4", "3"), { rows: rows("6", "5"), hasMore: true }), rows("6", "5", "4", "3"));
});

test("a row that was deleted goes", () => {
  assert.deepEqual(joined(rows("5", "4", "3", "2"), { rows: rows("5", "3"), hasMore: true }), rows("5", "3", "2"));
  assert.deepEqual(joined(rows("5", "4"), { rows: [], hasMore: false }), []);
});

test("where more has come than was asked for, the list begins anew", () => {
  assert.deepEqual(joined(rows("5", "4"), { rows: rows("9", "8"), hasMore: true }), rows("9", "8"));
});

test("while new rows wait, known ones change in their place", () => {
  const head = [{ id: "7", progress: 0 }, { id: "5", progress: 40 }, ...rows("4")];
  assert.deepEqual(refreshed(rows("5", "4", "3"), head), [{ id: "5", progress: 40 }, ...rows("4", "3")]);
  assert.equal(newerThan("5", head), 1);
});
