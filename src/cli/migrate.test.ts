import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { lockFolder } from "../store/folder-lock.ts";
import { migrate } from "../store/migrate.ts";
import { openDatabase } from "../store/node-sqlite.ts";
import { createRowProgress } from "./row-progress.ts";
import { inFolder, runLine, testShell } from "./shell.fixture.ts";

// Nothing listens on the port of TCP's own name service.
const nowhere = "postgres://genway:hidden-word@127.0.0.1:1/genway";

test("migrate-data says what is missing or wrong in its line", async () => {
  const wrong: [string[], RegExp][] = [
    [[], /genway migrate-data needs --to URL\./],
    [["--to", "mysql://db/x"], /--to must be the address of a PostgreSQL/],
    [["--to", "genway"], /--to must be the address of a PostgreSQL/],
    [["--to", nowhere, "--check", "--yes"], /--check changes nothing/],
    [["--to", nowhere, "now"], /does not know what to do with "now"/],
    [["--to", nowhere, "--chekc"], /has no option --chekc: did you mean "--check"\?/],
  ];
  for (const [line, says] of wrong) {
    const { code, noted, printed } = await runLine(["migrate-data", ...line]);
    assert.deepEqual([code, printed], [2, ""], line.join(" "));
    assert.match(noted, says);
  }
  assert.equal((await runLine(["migrate", "now"])).code, 2);
});

test("migrate makes the tables of a new data folder, and finds nothing to do the second time", async () => {
  await inFolder(async (cwd) => {
    const first = await runLine(["migrate"], { cwd });
    assert.deepEqual([first.code, first.noted], [0, ""]);
    assert.match(first.printed, /^The tables \(SQLite in .*data\) were brought up to date: 0001-foundation, 0002-calls, 0003-media/);
    const second = await runLine(["migrate"], { cwd });
    assert.deepEqual([second.code, second.printed], [0, `The tables (SQLite in ${join(cwd, "data")}) are up to date.`]);
    assert.deepEqual(
      readdirSync(join(cwd, "data")).filter((name) => name.includes("backup")),
      [],
    );
  });
});

test("both commands leave a data folder alone that a service runs on", async () => {
  await inFolder(async (cwd) => {
    const env = { GENWAY_DATA_DIR: cwd };
    assert.equal((await runLine(["migrate"], { cwd, env })).code, 0);
    const lock = lockFolder(cwd);
    try {
      for (const line of [["migrate"], ["migrate-data", "--to", nowhere]]) {
        const { code, noted, printed } = await runLine(line, { cwd, env });
        assert.deepEqual([code, printed], [1, ""]);
        assert.match(noted, /^Another Genway is running on the data folder .*\. Stop it/);
      }
    } finally {
      lock.close();
    }
  });
});

test("a PostgreSQL that does not answer is named without its password", async () => {
  await inFolder(async (cwd) => {
    const env = { GENWAY_DATA_DIR: cwd };
    await runLine(["migrate"], { cwd, env });
    writeFileSync(
      join(cwd, "genway.yaml"),
      `local: true\nmodels: { lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: free } }\nstore: { url: "${nowhere}" }\n`,
    );
    for (const line of [["migrate"], ["migrate-data", "--to", nowhere], ["migrate-data", "--to", nowhere, "--check"]]) {
      const { code, noted } = await runLine(line, { cwd, env });
      assert.equal(code, 1);
      assert.match(noted, /^PostgreSQL at 127\.0\.0\.1:1\/genway cannot be used: .*ECONNREFUSED/);
      assert.doesNotMatch(noted, /hidden-word/);
    }
  });
});

test("migrate-data wants a database to move, of this version", async () => {
  await inFolder(async (cwd) => {
    const env = { GENWAY_DATA_DIR: cwd };
    const absent = await runLine(["migrate-data", "--to", nowhere], { cwd, env });
    assert.equal(absent.code, 1);
    assert.match(absent.noted, /^There is no SQLite database in /);
    assert.equal(existsSync(join(cwd, "genway.lock")), false, "nothing is made where nothing is");

    const { raw, db } = openDatabase(join(cwd, "genway.db"), "write");
    await migrate(db, "sqlite", () => undefined);
    raw.exec("delete from kysely_migration where name <> '0001-foundation'");
    await db.destroy();
    const before = readFileSync(join(cwd, "genway.db"));
    const old = await runLine(["migrate-data", "--to", nowhere], { cwd, env });
    assert.equal(old.code, 1);
    assert.match(old.noted, /made by an earlier version: run `genway migrate` first/);
    assert.ok(readFileSync(join(cwd, "genway.db")).equals(before));
  });
});

test("the rows are shown in a bar on a terminal, and in a line for each table elsewhere", () => {
  const terminal = testShell({ isTerminal: true });
  const bar = createRowProgress(terminal, "copying");
  bar.show("task", 0, 1_000);
  bar.show("task", 1_000, 1_000);
  bar.end();
  assert.match(terminal.drawn[1] ?? "", /copying task █+ 100% {2}1000 of 1000 rows {2}0:00$/);
  assert.equal(terminal.drawn.at(-1), "\r\u001b[2K");
  assert.deepEqual(terminal.noted, []);

  const plain = testShell();
  const lines = createRowProgress(plain, "copying");
  lines.show("modal", 0, 0);
  lines.show("task", 512, 1_000);
  lines.show("task", 1_000, 1_000);
  lines.end();
  assert.deepEqual([plain.noted, plain.drawn], [["copying modal: 0 rows", "copying task: 1000 rows"], []]);
});
