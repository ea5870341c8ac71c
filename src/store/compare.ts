import { sql, type Kysely } from "kysely";
import { reads } from "./reads.ts";
import type { Database } from "./schema.ts";
import { tableNames, type TableName } from "./table-keys.ts";
import { countRows, keyOf, readByKeys, readPortions, type Row } from "./table-rows.ts";

const mostNamed = 5;

/** Told after each portion: how many rows of a table are dealt with. */
export type Tell = (table: TableName, rows: number, of: number) => void;

/** Holds every row and the sums of the ledger of two databases against each other; answers a sentence for each difference, none when they are the same. */
export async function compareData(source: Kysely<Database>, target: Kysely<Database>, tell: Tell): Promise<string[]> {
  const differences: string[] = [];
  for (const table of tableNames) differences.push(...(await compareTable(source, target, table, tell)));
  return [...differences, ...(await compareLedgers(source, target))];
}

/** A sentence for each thing that is wrong with the books; none when they agree. */
export async function auditSentences(db: Kysely<Database>): Promise<string[]> {
  const { entrySumNanos, wrongAccounts, finishedWithHold } = await reads.auditBooks(db, undefined);
  return [
    ...(entrySumNanos === 0 ? [] : [`the entries of the ledger sum up to ${entrySumNanos}, not to 0`]),
    ...named(wrongAccounts.map((id) => `the balance of account ${id} is not what its entries say`)),
    ...named(finishedWithHold.map((id) => `task ${id} has ended and was not settled`)),
  ];
}

async function compareTable(source: Kysely<Database>, target: Kysely<Database>, table: TableName, tell: Tell): Promise<string[]> {
  const [count, there] = [await countRows(source, table), await countRows(target, table)];
  const counted = count === there ? [] : [`${table}: ${count} rows in SQLite, ${there} in PostgreSQL`];
  const differing: string[] = [];
  let compared = 0;
  tell(table, compared, count);
  for await (const portion of readPortions(source, table, null)) {
    const label = (row: Row) => keyOf(table, row).join(" ");
    const keys = portion.map((row) => keyOf(table, row));
    const others = new Map((await readByKeys(target, table, keys)).map((row) => [JSON.stringify(keyOf(table, row)), row]));
    for (const row of portion) {
      const other = others.get(JSON.stringify(keyOf(table, row)));
      const columns = Object.keys(row).filter((column) => row[column] !== other?.[column]);
      if (other === undefined) differing.push(`${table} ${label(row)} is missing`);
      else if (columns.length > 0) differing.push(`${table} ${label(row)} differs in ${columns.join(", ")}`);
    }
    compared += portion.length;
    tell(table, compared, count);
  }
  return [...counted, ...named(differing)];
}

async function compareLedgers(source: Kysely<Database>, target: Kysely<Database>): Promise<string[]> {
  const [here, there] = [await bucketSums(source), await bucketSums(target)];
  const buckets = [...new Set([...here.keys(), ...there.keys()])].filter((bucket) => here.get(bucket) !== there.get(bucket));
  const sums = buckets.map(
    (bucket) => `ledger: ${bucket} sums up to ${here.get(bucket) ?? 0} in SQLite, ${there.get(bucket) ?? 0} in PostgreSQL`,
  );
  return [...sums, ...(await auditSentences(target))];
}

async function bucketSums(db: Kysely<Database>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("entry")
    .select(["bucket", sql<number | string>`sum(amount)`.as("sum")])
    .groupBy("bucket")
    .execute();
  return new Map(rows.map(({ bucket, sum }) => [bucket, Number(sum)]));
}

function named(sentences: readonly string[]): string[] {
  const more = sentences.length - mostNamed;
  return more <= 0 ? [...sentences] : [...sentences.slice(0, mostNamed), `… and ${more} more like these`];
}
