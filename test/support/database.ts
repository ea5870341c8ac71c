import pg from "pg";
import { migrate } from "../../src/store/migrate.ts";
import { openPostgresDatabase } from "../../src/store/postgres-database.ts";
import { startPostgres } from "./postgres.ts";

/** A database with the service's tables in it, on the PostgreSQL that the test run shares. */
export type TestDatabase = { url: string; drop(): Promise<void> };

type Ask = (statement: string, values?: unknown[]) => Promise<number>;

const template = "genway-tables";
const templateLock = 7_301;
let server: Promise<string | null> | null = null;

/** Opens the database of that name, making it if it is not there; null where there is no PostgreSQL. */
export async function openTestDatabase(name: string): Promise<TestDatabase | null> {
  const at = await (server ??= prepareServer());
  if (at === null) return null;
  await onServer(at, async (ask) => {
    if (!(await exists(ask, name))) await ask(`create database "${name}" template "${template}"`);
  });
  return { url: urlOf(at, name), drop: () => onServer(at, async (ask) => void (await ask(`drop database "${name}" with (force)`))) };
}

/** The server of the whole run, which `GENWAY_TEST_POSTGRES` names, or one of this process; tables to copy are on it afterwards. */
async function prepareServer(): Promise<string | null> {
  const at = process.env["GENWAY_TEST_POSTGRES"] || (await startPostgres({ isDurable: false }))?.url;
  if (at === undefined) return null;
  await onServer(at, async (ask) => {
    // Other processes of the run may come for it at the same moment; the lock goes with the connection.
    await ask("select pg_advisory_lock($1)", [templateLock]);
    if (!(await exists(ask, template))) await makeTemplate(at, ask);
  });
  return at;
}

async function makeTemplate(at: string, ask: Ask): Promise<void> {
  const unfinished = `${template}-unfinished`;
  await ask(`drop database if exists "${unfinished}"`);
  await ask(`create database "${unfinished}"`);
  const db = openPostgresDatabase(urlOf(at, unfinished));
  await migrate(db, "postgres", () => undefined).finally(() => db.destroy());
  await ask(`alter database "${unfinished}" rename to "${template}"`);
}

async function exists(ask: Ask, name: string): Promise<boolean> {
  return (await ask("select from pg_database where datname = $1", [name])) > 0;
}

async function onServer(at: string, act: (ask: Ask) => Promise<void>): Promise<void> {
  const client = new pg.Client(at);
  await client.connect();
  await act(async (statement, values = []) => (await client.query(statement, values)).rowCount ?? 0).finally(() => client.end());
}

function urlOf(at: string, name: string): string {
  return Object.assign(new URL(at), { pathname: `/${name}` }).href;
}
