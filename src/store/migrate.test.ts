import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { migrate, pendingMigrations } from "./migrate.ts";
import { openDatabase } from "./node-sqlite.ts";
import { tableKeys } from "./table-keys.ts";

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "genway-migrate-"));
  const opened = openDatabase(join(folder, "genway.db"), "write");
  t.after(async () => {
    await opened.db.destroy();
    rmSync(folder, { recursive: true });
  });
  const tables = () =>
    opened.raw
      .prepare("select name from sqlite_schema where type = 'table' order by name")
      .all()
      .map(({ name }) => String(name));
  return { ...opened, tables };
}

test("a migration that stops half-way leaves nothing behind and can be run again", async (t) => {
  const { raw, db, tables } = open(t);
  // The last table of the migration is in its way, so that every other one has been made when it fails.
  raw.exec("create table audit (id text)");
  await assert.rejects(
    migrate(db, "sqlite", () => undefined),
    /audit/,
  );
  assert.deepEqual(tables(), ["audit"]);
  assert.equal(raw.isTransaction, false);

  raw.exec("drop table audit");
  await migrate(db, "sqlite", () => undefined);
  assert.ok(tables().includes("task"));
});

test("a database that is up to date is left alone", async (t) => {
  const { db } = open(t);
  await migrate(db, "sqlite", () => undefined);
  await migrate(db, "sqlite", () => assert.fail("nothing is to be changed"));
});

test("the changes that were made are named, and those that are to come", async (t) => {
  const { raw, db } = open(t);
  const all = ["0001-foundation", "0002-calls", "0003-media"];
  assert.deepEqual((await pendingMigrations(db, "sqlite")).slice(0, 3), all);
  assert.deepEqual((await migrate(db, "sqlite", () => undefined)).slice(0, 3), all);
  assert.deepEqual(await pendingMigrations(db, "sqlite"), []);
  assert.deepEqual(await migrate(db, "sqlite", () => undefined), []);
  assert.equal(raw.isTransaction, false);
});

test("a database that a newer version has changed is refused", async (t) => {
  const { raw, db } = open(t);
  await migrate(db, "sqlite", () => undefined);
  raw.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')");
  await assert.rejects(
    migrate(db, "sqlite", () => undefined),
    /newer version \(9999-later\)/,
  );
});

test("the list of tables and keys is that of the database", async (t) => {
  const { raw, db, tables } = open(t);
  await migrate(db, "sqlite", () => undefined);
  const ours = tables().filter((name) => !/^(kysely|sqlite)_/.test(name));
  assert.deepEqual(Object.keys(tableKeys).toSorted(), ours);
  for (const [table, key] of Object.entries(tableKeys)) {
    const columns = raw.prepare("select name from pragma_table_info(?) where pk > 0 order by pk").all(table);
    assert.deepEqual(
      columns.map(({ name }) => name),
      key,
      table,
    );
  }
});
