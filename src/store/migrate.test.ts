import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./node-sqlite.ts";

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
