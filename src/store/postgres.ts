import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Store } from "../core/ports.ts";
import { createBatcher, type Group, type Outcome } from "./batcher.ts";
import { migrate } from "./migrate.ts";
import type { Query, Verb } from "./query.ts";
import { pointReadNames, reads, wideReadNames } from "./reads.ts";
import type { Database } from "./schema.ts";
import { verbNames, verbs, type VerbName } from "./verbs.ts";

const int8 = 20;

/** The same tables and verbs on PostgreSQL. */
export async function openPostgresStore(url: string): Promise<Store> {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") => (oid === int8 ? safeInteger : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({ connectionString: url, max: 10, types });
  // A connection lost while idle is replaced by the next query; that query's own failure is the one to tell.
  pool.on("error", () => undefined);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db, "postgres", () => undefined);

  const methods: Record<string, (question: unknown) => Promise<unknown>> = {};
  for (const verb of verbNames) {
    // One transaction per verb at a time, so that calls of a verb share it and verbs do not wait for each other.
    const write = createBatcher((group) => commit(db, group));
    methods[verb] = async (item) => {
      const outcome = await write(verb, item);
      if (!("error" in outcome)) return outcome.ok;
      throw new Error(outcome.error);
    };
  }
  for (const read of [...pointReadNames, ...wideReadNames]) {
    methods[read] = (question) => (reads[read] as (query: Query, asked: unknown) => Promise<unknown>)(db, question);
  }
  // Every name of the port is a verb or a read: the lists are typed by it.
  return { ...methods, close: () => db.destroy() } as Store;
}

async function commit(db: Query, group: Group): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = [];
  for (const { verb, items } of group) {
    try {
      outcomes.push((await transact(db, verb, items)).map((ok) => ({ ok })));
    } catch {
      outcomes.push(await Promise.all(items.map((item) => alone(db, verb, item))));
    }
  }
  return outcomes;
}

function transact(db: Query, verb: VerbName, items: unknown[]): Promise<unknown[]> {
  return db.transaction().execute((tx) => (verbs[verb] as Verb<unknown, unknown>)({ db: tx, dialect: "postgres" }, items));
}

async function alone(db: Query, verb: VerbName, item: unknown): Promise<Outcome> {
  try {
    return { ok: (await transact(db, verb, [item]))[0] };
  } catch (error) {
    return { error: error instanceof Error ? `${verb}: ${error.message}` : String(error), full: false };
  }
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`a number of the database is too large: ${text}`);
  return value;
}
