import { sql, type Kysely } from "kysely";
import type { Database } from "./schema.ts";
import { tableKeys, type TableName } from "./table-keys.ts";

/** A row of whatever table. */
export type Row = Record<string, string | number | null>;
export type Key = readonly (string | number | null)[];

const mostRows = 512;
const mostCharacters = 4 * 1024 * 1024;

export function keyOf(table: TableName, row: Row): Key {
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
    for (const value of Object.values(row)) if (typeof value === "string") characters += value.length;
    if (portion.length < mostRows && characters < mostCharacters) continue;
    yield portion;
    [portion, characters] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}

/** Those of the keys that a table has, with their rows. */
export async function readByKeys(db: Kysely<Database>, table: TableName, keys: readonly Key[]): Promise<Row[]> {
  const wanted = sql.join(keys.map((key) => sql`(${sql.join(key)})`));
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where (${keyColumns(table)}) in (${wanted})`.execute(db);
  return rows;
}

export async function countRows(db: Kysely<Database>, table: TableName): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}

function keyColumns(table: TableName) {
  return sql.join(tableKeys[table].map((column) => sql.ref(column)));
}
