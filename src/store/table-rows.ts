import { sql, type Kysely } from "kysely";
import { noNews } from "./query.ts";
import { runRemembered } from "./remembered.ts";
import type { Database } from "./schema.ts";
import { tableKeys, type TableName } from "./table-keys.ts";

/** A row of whatever table. */
export type Row = Record<string, string | number | null>;
export type Key = readonly (string | number | null)[];

const mostRows = 512;
const mostCharacters = 4 * 1024 * 1024;

export function keyOf<V>(table: TableName, row: Record<string, V>): (V | null)[] {
  return tableKeys[table].map((column) => row[column] ?? null);
}

/** The rows of a table in the order of its key, from after a key on, in portions that fit into memory whatever the rows hold. */
export async function* readPortions(db: Kysely<Database>, table: TableName, after: Key | null): AsyncGenerator<Row[]> {
  const columns = keyColumns(table);
  const all = db
    .selectFrom(sql<Row>`${sql.table(table)}`.as("whole"))
    .selectAll()
    .orderBy(columns);
  const query = after === null ? all : all.where(sql<boolean>`(${columns}) > (${sql.join(after)})`);
  let portion: Row[] = [];
  let characters = 0;
  for await (const row of query.stream()) {
    portion.push(row);
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== "string") continue;
      characters += value.length;
      // The one character that PostgreSQL cannot hold.
      if (value.includes("\0")) row[column] = value.replaceAll("\0", "\ufffd");
    }
    if (portion.length < mostRows && characters < mostCharacters) continue;
    yield portion;
    [portion, characters] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}

/** Those of the keys that a table of PostgreSQL has, with their rows. */
export async function readByKeys(db: Kysely<Database>, table: TableName, keys: readonly Key[]): Promise<Record<string, unknown>[]> {
  const build = () => {
    const wanted = sql.join(keys.map((key) => sql`(${sql.join(key)})`));
    return { compile: () => sql`select * from ${sql.table(table)} where (${keyColumns(table)}) in (${wanted})`.compile(db) };
  };
  return runRemembered({ db, dialect: "postgres", news: noNews(), again: false }, `${table} by ${keys.length} keys`, build, keys.flat());
}

export async function countRows(db: Kysely<Database>, table: TableName): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}

function keyColumns(table: TableName) {
  return sql.join(tableKeys[table].map((column) => sql.ref(column)));
}
