import { CompiledQuery } from "kysely";
import type { Tx } from "./query.ts";
import type { Database } from "./schema.ts";

const largest = 64;
const texts = new Map<string, string>();

/**
 * Inserts rows of one shape. They go in portions of 64, 32, 16 … 1, so that a few statements serve groups of every size:
 * each is compiled and prepared once, which costs more than running it.
 */
export async function insertMany<T extends keyof Database>(tx: Tx, table: T, rows: readonly Database[T][]): Promise<void> {
  let at = 0;
  for (let size = largest; size >= 1; size /= 2) {
    for (; rows.length - at >= size; at += size) await insertPortion(tx, table, rows.slice(at, at + size));
  }
}

async function insertPortion<T extends keyof Database>({ db, dialect }: Tx, table: T, rows: readonly Database[T][]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const name = `${dialect} ${table} ${rows.length} ${columns.join()}`;
  let text = texts.get(name);
  if (text === undefined) {
    text = db
      .insertInto<keyof Database>(table)
      .values([...rows])
      .compile().sql;
    texts.set(name, text);
  }
  const values = rows.flatMap((row) => columns.map((column) => row[column as keyof Database[T]]));
  await db.executeQuery(CompiledQuery.raw(text, values));
}
