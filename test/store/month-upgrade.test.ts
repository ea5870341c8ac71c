import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql, type Kysely } from "kysely";
import { monthOf } from "../../src/core/budget.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { foundation } from "../../src/store/migrations/0001-foundation.ts";
import { calls } from "../../src/store/migrations/0002-calls.ts";
import { consoleTables } from "../../src/store/migrations/0007-console.ts";
import { openDatabase } from "../../src/store/node-sqlite.ts";
import { openPostgresDatabase } from "../../src/store/postgres-database.ts";
import type { Dialect, Query } from "../../src/store/query.ts";
import { openTestDatabase } from "../support/database.ts";
import { chosenStore } from "../support/store-choice.ts";

const untyped = (db: Query) => db as unknown as Kysely<unknown>;

/** An account of an earlier version that has spent 3 last month, 20 by a task and 100 by calls this month, and 7 by calls that are not posted. */
async function spending(db: Query, dialect: Dialect): Promise<void> {
  for (const migration of [foundation, calls]) await migration(untyped(db), dialect);
  const month = monthOf(Date.now());
  const statements = [
    "insert into account values ('a', 'shop', 870, 0, 130, 0, 0, null, 1)",
    "insert into account values ('b', 'idle', 0, 0, 0, 0, 0, null, 1)",
    ...[
      ["c", "credit", 1, "available", 1_000],
      ["old", "charge", month - 1, "available", -3],
      ["t:end", "settle", month, "held", -20],
      ["new", "charge", month + 1, "available", -100],
      ["h:hold", "hold", month + 1, "available", -50],
    ].flatMap(([id, kind, at, bucket, amount]) => [
      `insert into transfer values ('${id}', '${kind}', 'a', '', ${at})`,
      `insert into entry values ('${id}', 0, 'a', '${bucket}', ${amount})`,
      `insert into entry values ('${id}', 1, 'house', 'revenue', ${-Number(amount)})`,
    ]),
    `insert into usage (minute, account, api_key, operation, model, provider, transfer, calls, estimated, input_tokens, output_tokens, cost, paid, ms)
      values (${month}, 'a', '', 'chat', 'm', 'p', '', 1, 0, 0, 0, 9, 7, 1)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

async function isCounted(db: Query, dialect: Dialect): Promise<void> {
  await spending(db, dialect);
  await consoleTables(untyped(db), dialect);
  const { rows } = await sql<{ month: number; month_spent: number }>`select month, month_spent from account order by id`.execute(db);
  assert.deepEqual(
    rows.map(({ month, month_spent: spent }) => [month, spent]),
    [127, 0].map((spent) => [monthOf(Date.now()), spent]),
  );
}

test("an upgrade of SQLite finds what was spent since the month began", async () => {
  const folder = mkdtempSync(join(tmpdir(), "genway-month-"));
  const { db } = openDatabase(join(folder, "genway.db"), "write");
  await isCounted(db, "sqlite");
  await db.destroy();
  rmSync(folder, { recursive: true });
});

test("an upgrade of PostgreSQL likewise, whatever the time zone of the server", async (context) => {
  const database = chosenStore() === "sqlite" ? null : await openTestDatabase(`genway-month-${uuidv7()}`);
  if (database === null) return context.skip("no PostgreSQL on this machine");
  const db = openPostgresDatabase(database.url);
  await db.connection().execute(async (one) => {
    // Beside the tables that are there.
    for (const statement of ["create schema earlier", "set search_path to earlier", "set time zone 'Pacific/Kiritimati'"])
      await sql.raw(statement).execute(one);
    await isCounted(one, "postgres");
  });
  await db.destroy();
  await database.drop();
});
