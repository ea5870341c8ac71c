import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { runLine, type Outcome } from "../../src/cli/shell.fixture.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openPostgresDatabase } from "../../src/store/postgres-database.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { tableNames } from "../../src/store/table-keys.ts";
import { beginCopy } from "../../src/store/unfinished-copy.ts";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { findPostgres, startPostgres, type TemporaryPostgres } from "../support/postgres.ts";
import type { Submitted } from "../support/wire.ts";
import { databasesOf, type Databases } from "./databases.ts";
import { booksAgree } from "./fixture.ts";
import { slowSeconds, useInstallation, type Installation } from "./installation.ts";

const skip = findPostgres() === null && "needs PostgreSQL";
const entry = join(import.meta.dirname, "../../src/cli/genway.ts");
let server: TemporaryPostgres | null = null;
let databases: Databases;
let home: Installation;

before(
  async () => {
    if (skip !== false) return;
    server = await startPostgres();
    assert.ok(server !== null);
    databases = databasesOf(server);
    home = await useInstallation();
  },
  { timeout: 180_000 },
);
after(async () => {
  await server?.stop();
  await home?.end();
});

const env = () => ({ GENWAY_DATA_DIR: home.dataDir });
const move = (to: string, ...more: string[]): Promise<Outcome> =>
  runLine(["migrate-data", "--to", to, ...more], { cwd: home.dataDir, env: env() });

/** Of all that SQLite keeps for good. */
function sourceHash(): string {
  const hash = createHash("sha256");
  for (const name of ["genway.db", "genway.db-wal"].filter((file) => existsSync(join(home.dataDir, file))))
    hash.update(readFileSync(join(home.dataDir, name)));
  return hash.digest("hex");
}

describe("moving a SQLite installation to PostgreSQL", { skip, timeout: 300_000 }, () => {
  test("everything is copied, compared, and shown table by table; the source stays as it is", async () => {
    const to = await databases.create("moved");
    const earlier = sourceHash();
    const { code, printed, noted } = await move(to);
    assert.equal(code, 0, noted);
    assert.match(printed, /^\d+ rows are the same in both, and the books agree\.$/);
    for (const table of tableNames) assert.match(noted, new RegExp(`^copying ${table}: \\d+ rows$`, "m"));
    assert.match(noted, /store: \{ url: "postgres:\/\/…" \}/);
    assert.match(noted, /master\.key, media/);
    assert.equal(sourceHash(), earlier);
    const filled = [
      "task",
      "attempt",
      "step",
      "transfer",
      "entry",
      "asset",
      "modal",
      "endpoint",
      "delivery",
      "usage",
      "idempotency",
      "song",
      "audit",
    ];
    for (const table of filled) assert.ok((await databases.count("moved", table)) > 0, `the test moves some rows of ${table}`);
    assert.ok((await databases.count("moved", "task")) > 400);
    const again = await move(to, "--check");
    assert.deepEqual([again.code, again.printed], [0, printed], again.noted);
  });

  test("a database that is in use is refused, with and without --yes, and stays as it is", async () => {
    const earlier = await databases.count("moved", "task");
    for (const more of [[], ["--yes"]]) {
      const { code, noted, printed } = await move(databases.urlOf("moved"), ...more);
      assert.deepEqual([code, printed], [1, ""]);
      assert.match(noted, /^This PostgreSQL is in use: its table account is not empty/);
    }
    assert.equal(await databases.count("moved", "task"), earlier);
  });

  test("whatever differs is found by --check and named", async () => {
    const [row] = await databases.ask("moved", "select id from task where status = 'SUCCESS' order by id limit 1");
    const id = String(row?.["id"]);
    const changes: [string, string[], RegExp][] = [
      [
        "status",
        [`update task set status = 'FAILURE', version = version + 1 where id = '${id}'`],
        new RegExp(`^task ${id} differs in status, version$`, "m"),
      ],
      [
        "fewer",
        ["delete from audit where id = (select min(id) from audit)"],
        /^audit: (\d+) rows in SQLite, (\d+) in PostgreSQL\naudit \S+ is missing$/m,
      ],
      ["more", [`insert into song (id, task, account) values ('made up', '${id}', 'x')`], /^song: \d+ rows in SQLite, \d+ in PostgreSQL$/m],
      [
        "ledger",
        [
          "alter table entry disable trigger all",
          "update entry set amount = amount + 5 where line = 0 and transfer = (select min(transfer) from entry)",
        ],
        /differs in amount\n(.*\n)*ledger: \w+ sums up to -?\d+ in SQLite, -?\d+ in PostgreSQL\n(.*\n)*the entries of the ledger sum up to 5, not to 0/m,
      ],
      [
        "balance",
        ["update account set available = available - 1 where spent > 0"],
        /differs in available\nthe balance of account \S+ is not what its entries say$/m,
      ],
    ];
    for (const [name, statements, says] of changes) {
      const to = await databases.create(`altered_${name}`, "moved");
      await databases.ask(`altered_${name}`, ...statements);
      const { code, printed, noted } = await move(to, "--check");
      assert.equal(code, 1, name);
      assert.match(printed, says, name);
      assert.match(noted, /PostgreSQL is not the same as the SQLite database\.$/);
    }
  });

  test("there is nothing to check in an empty database, and it stays empty", async () => {
    const { code, noted } = await move(await databases.create("empty"), "--check");
    assert.equal(code, 1);
    assert.match(noted, /^There is no copy to check/);
    assert.deepEqual(await databases.ask("empty", "select 1 from information_schema.tables where table_schema = 'public'"), []);
  });

  test("a copy that was killed goes on where it stood; no service starts on it before", async () => {
    const to = await databases.create("killed");
    assert.equal((await runLine(["migrate"], { cwd: home.dataDir, env: { ...env(), GENWAY_CONFIG: configOf(to) } })).code, 0);
    // Holds the copy up after the first portion of entries, until the lock is free.
    await databases.ask(
      "killed",
      `create function hold_up() returns trigger language plpgsql as $$ begin
         if (select count(*) from entry) >= 512 then perform pg_advisory_xact_lock(42); end if; return null; end $$`,
      "create trigger hold_up before insert on entry for each statement execute function hold_up()",
    );
    const holder = new pg.Client({ connectionString: to });
    await holder.connect();
    await holder.query("select pg_advisory_lock(42)");
    const child = spawn(process.execPath, [entry, "migrate-data", "--to", to], {
      cwd: home.dataDir,
      env: { ...process.env, ...env() },
      stdio: "ignore",
    });
    await eventually(
      async () => (await databases.ask("killed", "select 1 from pg_locks where locktype = 'advisory' and not granted")).length > 0,
      {
        withinMs: 30_000,
        what: "the copy in the middle",
      },
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    await holder.end();
    await databases.ask("killed", "drop trigger hold_up on entry");
    const half = Number((await databases.ask("killed", "select rows from unfinished_copy where name = 'entry'"))[0]?.["rows"]);
    const taskMarks = await databases.ask("killed", "select min(xmin::text::bigint) as low, max(xmin::text::bigint) as high from task");
    assert.ok(half >= 512 && half === (await databases.count("killed", "entry")), `${half} entries were copied`);

    await assert.rejects(openPostgresStore(to), /holds a copy that is not finished/);
    const check = await move(to, "--check");
    assert.deepEqual([check.code, check.noted], [1, "The copy is not finished: run the same command without --check."]);
    const { code, noted } = await move(to);
    assert.equal(code, 0, noted);
    assert.deepEqual(
      await databases.ask("killed", "select min(xmin::text::bigint) as low, max(xmin::text::bigint) as high from task"),
      taskMarks,
    );
    assert.equal((await move(to, "--check")).code, 0);
  });

  test("an unfinished copy of something else is cleared with --yes only", async () => {
    const to = await databases.create("other");
    const db = openPostgresDatabase(to);
    await migrate(db, "postgres", () => undefined);
    await beginCopy(db, "another source");
    await db.insertInto("song").values({ id: "left", task: "over", account: "there" }).execute();
    await db.destroy();
    const refused = await move(to);
    assert.equal(refused.code, 1);
    assert.match(refused.noted, /unfinished copy of another database, or of this one before it was changed: --yes clears it/);
    const cleared = await move(to, "--yes");
    assert.equal(cleared.code, 0, cleared.noted);
    assert.deepEqual(await databases.ask("other", "select 1 from song where id = 'left'"), []);
  });

  test("a source that changed since is no longer the source of an unfinished copy", async () => {
    const to = await databases.create("changed");
    const db = openPostgresDatabase(to);
    await migrate(db, "postgres", () => undefined);
    const file = join(home.dataDir, "genway.db");
    await db.destroy();
    // A copy that stops at its comparison stays unfinished.
    await databases.ask(
      "changed",
      "create function spoil() returns trigger language plpgsql as $$ begin new.detail = 'spoilt'; return new; end $$",
      "create trigger spoil before insert on audit for each row execute function spoil()",
    );
    const spoilt = await move(to);
    assert.equal(spoilt.code, 1);
    assert.match(spoilt.printed, /^audit \S+ differs in detail$/m);
    assert.match(spoilt.noted, /no service will start on it\. Go on with SQLite, or try again with --yes\.$/);
    await assert.rejects(openPostgresStore(to), /holds a copy that is not finished/);
    const now = new Date();
    utimesSync(file, now, now);
    assert.match((await move(to)).noted, /before it was changed: --yes clears it/);
    await databases.ask("changed", "drop trigger spoil on audit");
    const { code, noted } = await move(to, "--yes");
    assert.equal(code, 0, noted);
  });

  test("the service goes on in PostgreSQL: old tasks are shown, waiting ones end, and the books agree", async () => {
    const gateway = await home.start(databases.urlOf("moved"));
    try {
      const client = createClient(gateway.url, home.key);
      const { ended, waiting, queued, unknown } = home.tasks;
      assert.deepEqual((await client.get("/v1/balance")).body, home.balance);
      for (const id of [...ended, ...unknown])
        assert.deepEqual(plain((await client.get(`/v1/tasks/${id}`)).body), plain(home.seen.get(id)));
      const [film = ""] = ended.filter((id) => home.seen.get(id)?.["kind"] === "video" && home.seen.get(id)?.["status"] === "SUCCESS");
      const [asset] = (await client.get<{ assets: { url: string }[] }>(`/v1/tasks/${film}`)).body.assets;
      assert.equal((await fetch(asset?.url ?? "")).status, 200, "results are where they were");
      // The clock of this installation leaps, so that some of its work lost its lease while it was being sent.
      const lost = [...home.seen.values()].filter(({ error }) => JSON.stringify(error ?? null).includes('"unknown_outcome"')).length;
      assert.ok(lost >= unknown.length);
      assert.equal((((await gateway.admin("GET", "/admin/v1/attention")).body["data"] ?? []) as unknown[]).length, lost);
      const replay = await client.post<{ data: string }>(
        "/musicA/submit/lyrics",
        { prompt: "words 3" },
        { headers: { "idempotency-key": "words 3" } },
      );
      assert.equal(replay.headers.get("idempotent-replayed"), "true", replay.text);
      const said = await client.post<Submitted>("/mj/submit/modal", { taskId: home.modal });
      assert.deepEqual([said.body.code, said.body.result], [1, home.modal], said.text);

      home.clock.advance((slowSeconds + 60) * 1_000);
      const open = new Set([...waiting, ...queued, home.modal]);
      await eventually(
        async () => {
          for (const id of open) {
            const { body } = await client.get<{ status: string }>(`/v1/tasks/${id}`);
            if (body.status === "FAILURE") assert.fail(JSON.stringify(body));
            if (body.status === "SUCCESS") open.delete(id);
          }
          if (open.size > 0) home.clock.advance(2_000);
          return open.size === 0;
        },
        { withinMs: 90_000, everyMs: 200, what: "the end of all that waited" },
      );
      for (const prompt of ["in the queue 3", `[lab:seconds=${slowSeconds}] slow 3`]) {
        const jobs = home.lab.jobs().filter((job) => job.prompt === prompt && job.kind === "video");
        assert.equal(jobs.length, 1, `${prompt} was made once`);
      }
      assert.equal((await client.get<{ held_usd: number }>("/v1/balance")).body.held_usd, 0);
    } finally {
      await gateway.close();
    }
    const store = await openPostgresStore(databases.urlOf("moved"));
    assert.ok(await booksAgree(store));
    await store.close();
  });
});

/** A task without what is signed anew at each look. */
function plain(task: unknown): unknown {
  return JSON.parse(JSON.stringify(task ?? null).replaceAll(/http:\/\/127\.0\.0\.1:\d+\/assets\/[^"]*/g, "an asset"));
}

function configOf(url: string): string {
  const file = join(home.dataDir, "postgres.yaml");
  writeFileSync(
    file,
    `local: true\nmodels: { lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: free } }\nstore: { url: "${url}" }\n`,
  );
  return file;
}
