import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import pg from "pg";
import { openTestDatabase } from "./database.ts";
import { findPostgres, startPostgres } from "./postgres.ts";

const skip = findPostgres() === null && "needs PostgreSQL";

test("a PostgreSQL of the registry runs where the system has none, and not as root", { skip }, async (context) => {
  const server = await startPostgres({ isBundled: true, isDurable: false });
  if (server === null) return context.skip("the registry has no PostgreSQL for this platform");
  try {
    const client = new pg.Client(server.url);
    await client.connect();
    const { rows } = await client.query("select current_setting('data_directory') as folder, current_setting('fsync') as fsync");
    await client.end();
    assert.equal(rows[0].fsync, "off");
    assert.notEqual(statSync(rows[0].folder).uid, 0, "the server owns what it writes, and root does not");
  } finally {
    await server.stop();
  }
});

test("a test database has the tables of the service, is found again by its name, and is empty after it was dropped", { skip }, async () => {
  const names = ["genway-test-One", "genway-test-one"];
  const [first, second] = await Promise.all(names.map((name) => openTestDatabase(name)));
  assert.ok(first && second);
  await ask(first.url, "insert into kysely_migration values ('seen', 'now')");
  const again = await openTestDatabase("genway-test-One");
  const seen = "select from kysely_migration where name = 'seen'";
  assert.deepEqual([await ask(again?.url ?? "", seen), await ask(second.url, seen)], [1, 0]);
  await first.drop();
  const anew = await openTestDatabase("genway-test-One");
  assert.ok(anew);
  assert.equal(await ask(anew.url, seen), 0);
  assert.equal(await ask(anew.url, "select from task"), 0);
  await Promise.all([anew.drop(), second.drop()]);
});

async function ask(url: string, statement: string): Promise<number | null> {
  const client = new pg.Client(url);
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rowCount;
}
