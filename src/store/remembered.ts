import { CompiledQuery } from "kysely";
import type { Tx } from "./query.ts";
import type { Database } from "./schema.ts";

const largest = 64;
const texts = new Map<string, string>();

/** Runs a statement whose text is built once and remembered by name: building it costs more than running it. */
export async function runRemembered(
  { db, dialect }: Tx,
  name: string,
  build: () => { compile(): CompiledQuery },
  values: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const full = `${dialect} ${name}`;
  let text = texts.get(full);
  if (text === undefined) {
    text = build().compile().sql;
    texts.set(full, text);
  }
  return (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))).rows;
}

/** Inserts rows of one shape, in portions of 64, 32, 16 … 1, so that a few statements serve groups of every size. */
export async function insertMany<T extends keyof Database>(tx: Tx, table: T, rows: readonly Database[T][]): Promise<void> {
  let at = 0;
  for (let size = largest; size >= 1; size /= 2) {
    for (; rows.length - at >= size; at += size) await insertPortion(tx, table, rows.slice(at, at + size));
  }
}

async function insertPortion<T extends keyof Database>(tx: Tx, table: T, rows: readonly Database[T][]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.flatMap((row) => columns.map((column) => row[column as keyof Database[T]]));
  await runRemembered(
    tx,
    `${table} ${rows.length} ${columns.join()}`,
    () => tx.db.insertInto<keyof Database>(table).values([...rows]),
    values,
  );
}
