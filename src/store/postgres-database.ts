import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { errorCode } from "../kit/error-code.ts";
import type { Database } from "./schema.ts";

const int8 = 20;

/** A pool of connections to PostgreSQL that hands whole numbers over as numbers; nothing is connected before the first query. */
export function openPostgresPool(url: string): pg.Pool {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") => (oid === int8 ? safeInteger : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: "genway",
  });
  // A connection lost while idle is replaced by the next query; that query's own failure is the one to tell.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

export function openPostgresDatabase(url: string, pool = openPostgresPool(url)): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** The same for a command: throws a sentence when nobody answers there, and closes when the work is done. */
export async function withPostgres<R>(url: string, work: (db: Kysely<Database>) => Promise<R>): Promise<R> {
  const db = openPostgresDatabase(url);
  try {
    await sql`select 1`.execute(db).catch((cause: unknown) => {
      const says = (cause instanceof Error && cause.message) || errorCode(cause) || String(cause);
      throw new Error(`PostgreSQL at ${placeOf(url)} cannot be used: ${says}`, { cause });
    });
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** The address without who we are there. */
function placeOf(url: string): string {
  const { host = "", pathname = "" } = URL.parse(url) ?? {};
  return `${host}${pathname}`;
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`a number of the database is too large: ${text}`);
  return value;
}
