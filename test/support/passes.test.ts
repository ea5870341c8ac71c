import assert from "node:assert/strict";
import { test } from "node:test";
import { needsPostgres, planPasses, storeOf } from "./passes.ts";

const files = [
  "src/kit/duration.test.ts",
  "test/journeys/chat.test.ts",
  "test/store/conformance.test.ts",
  "test/tasks/store-races.test.ts",
];
const told = (passes: ReturnType<typeof planPasses>) =>
  passes.map((pass) => pass.files.map((file) => file + storeOf(file, pass))).map((list) => list.join("\n"));

test("every file runs once on SQLite, and what drives the service once more on PostgreSQL", () => {
  const passes = planPasses(files, null);
  assert.deepEqual(told(passes), [
    "src/kit/duration.test.ts\ntest/journeys/chat.test.ts on SQLite\n" +
      "test/store/conformance.test.ts on SQLite and on PostgreSQL\ntest/tasks/store-races.test.ts on SQLite and on PostgreSQL",
    "test/journeys/chat.test.ts on PostgreSQL",
  ]);
  assert.ok(passes.every(needsPostgres));
});

test("a store that is asked for is the only one, and PostgreSQL leaves out what has no store", () => {
  const [onPostgres, ...rest] = planPasses(files, "postgres");
  assert.deepEqual([onPostgres?.files, rest], [files.slice(1), []]);
  const onSqlite = planPasses(files, "sqlite");
  assert.deepEqual(
    onSqlite.map((pass) => [pass.files, pass.store, needsPostgres(pass)]),
    [[files, "sqlite", false]],
  );
  assert.deepEqual(planPasses(["src/kit/duration.test.ts"], "postgres"), []);
});
