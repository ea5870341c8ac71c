import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { foundation } from "../../src/store/migrations/0001-foundation.ts";
import { openPostgresDatabase } from "../../src/store/postgres-database.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { findPostgres, startPostgres, type TemporaryPostgres } from "../support/postgres.ts";
import { databasesOf, type Databases } from "./databases.ts";
import { booksAgree } from "./fixture.ts";

const skip = findPostgres() === null && "needs PostgreSQL";
const entry = join(import.meta.dirname, "../../src/cli/genway.ts");
const folder = mkdtempSync(join(tmpdir(), "genway-upgrade-"));
let server: TemporaryPostgres;
let databases: Databases;

before(async () => {
  const started = skip === false ? await startPostgres() : null;
  if (started === null) return;
  server = started;
  databases = databasesOf(server);
});
after(async () => {
  if (skip === false) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The tables as the first version made them, with an account and a key. */
async function firstVersion(name: string): Promise<void> {
  const db = openPostgresDatabase(databases.urlOf(name));
  const provider = {
    getMigrations: async () => ({ "0001-foundation": { up: (tx: Parameters<typeof foundation>[0]) => foundation(tx, "postgres") } }),
  };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  assert.equal(error, undefined);
  await db.destroy();
  await databases.ask(
    name,
    "insert into account values ('a', 'shop', 0, 0, 0, 0, 0, null, 1)",
    "insert into api_key (id, account, name, hash, last_four, created_at) values ('k', 'a', 'web', 'h', 'abcd', 1)",
  );
}

function runMigrate(url: string, n: number): Promise<{ code: number | null; said: string }> {
  const config = join(folder, `genway-${n}.yaml`);
  writeFileSync(
    config,
    `local: true\nmodels: { lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: free } }\nstore: { url: "${url}" }\n`,
  );
  const env = { ...process.env, GENWAY_CONFIG: config, GENWAY_DATA_DIR: join(folder, `data-${n}`) };
  const child = spawn(process.execPath, [entry, "migrate"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = Promise.all([text(child.stdout), text(child.stderr)]).then((parts) => parts.join(""));
  return new Promise((resolve) => child.once("close", async (code) => resolve({ code, said: await said })));
}

describe("tables that several processes bring up to date at once", { skip, timeout: 120_000 }, () => {
  for (const from of ["empty", "first"] as const) {
    test(`five processes on ${from === "empty" ? "an empty database" : "one of the first version"}: one does it, all end well`, async () => {
      const url = await databases.create(`five_${from}`);
      if (from === "first") await firstVersion(`five_${from}`);
      const outcomes = await Promise.all(Array.from({ length: 5 }, (_, n) => runMigrate(url, n)));
      for (const { code, said } of outcomes) assert.equal(code, 0, said);
      const makers = outcomes.filter(({ said }) => /were brought up to date: .*0002-calls, 0003-media/.test(said));
      const others = outcomes.filter(({ said }) => said === "The tables (PostgreSQL) are up to date.\n");
      assert.deepEqual([makers.length, others.length], [1, 4], outcomes.map(({ said }) => said).join(""));
      const store = await openPostgresStore(url);
      assert.equal((await store.account({ idOrName: "shop" }))?.id, from === "first" ? "a" : undefined);
      assert.ok(await booksAgree(store));
      await store.close();
    });
  }

  test("stores that open at the same moment, in one process, all open", async () => {
    const url = await databases.create("stores");
    const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgresStore(url)));
    for (const store of stores) assert.ok(await booksAgree(store));
    for (const store of stores) await store.close();
  });

  test("a service that starts while somebody else brings the tables up to date waits for it", async () => {
    const url = await databases.create("waits");
    await firstVersion("waits");
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    // The lock of the migrator, as long as somebody else is at work.
    await holder.query("select pg_advisory_lock(3853314791062309107)");
    let isOpen = false;
    const opening = openPostgresStore(url).then((store) => {
      isOpen = true;
      return store;
    });
    while ((await holder.query("select 1 from pg_locks where locktype = 'advisory' and not granted")).rowCount === 0) await pause(20);
    assert.equal(isOpen, false);
    assert.equal((await holder.query("select 1 from information_schema.columns where column_name = 'spend_cap'")).rowCount, 0);
    await holder.end();
    await (await opening).close();
  });
});
