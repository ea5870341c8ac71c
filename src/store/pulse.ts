import { sql, type InsertQueryBuilder, type InsertResult } from "kysely";
import type { PulseRow } from "../core/counts.ts";
import { each, locking, type Tx, type Verb } from "./query.ts";
import { runRemembered } from "./remembered.ts";
import type { Database } from "./schema.ts";

type Row = Database["pulse"];

const names = ["minute", "account", "api_key", "operation", "model", "provider", "outcome", "speed", "wait"] as const;
const sums = ["requests", "input_tokens", "output_tokens", "cost"] as const;
const columns = [...names, ...sums];

/** Adds what nodes have counted, always in the order of keys, so that two of them never wait for each other. */
export const recordPulse: Verb<{ rows: PulseRow[] }, void> = async (tx, requests) => {
  const merged = new Map<string, Row>();
  for (const { rows } of requests) for (const row of rows) merge(merged, rowOf(row));
  const ordered = [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  let at = 0;
  for (let size = 64; size >= 1; size /= 2) {
    for (; ordered.length - at >= size; at += size) await addRows(tx, ordered.slice(at, at + size));
  }
  return requests.map(() => undefined);
};

function rowOf({ key, inputTokens, outputTokens, costNanos, ...rest }: PulseRow): Row {
  return { ...rest, api_key: key, input_tokens: inputTokens, output_tokens: outputTokens, cost: costNanos };
}

function merge(merged: Map<string, Row>, row: Row): void {
  const key = JSON.stringify(names.map((name) => row[name]));
  const known = merged.get(key);
  if (known === undefined) merged.set(key, { ...row });
  else for (const name of sums) known[name] += row[name];
}

async function addRows(tx: Tx, rows: Row[]): Promise<void> {
  const values = rows.flatMap((row) => columns.map((column) => row[column]));
  // The columns stand in the order of the values.
  const inOrder = (row: Row) => Object.fromEntries(columns.map((column) => [column, row[column]])) as Row;
  await runRemembered(tx, `pulse ${rows.length}`, () => adding(tx.db.insertInto("pulse").values(rows.map(inOrder))), values);
}

function adding(insert: InsertQueryBuilder<Database, "pulse", InsertResult>) {
  const added = Object.fromEntries(sums.map((name) => [name, sql.raw(`pulse.${name} + excluded.${name}`)]));
  return insert.onConflict((conflict) => conflict.columns([...names]).doUpdateSet(added));
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const minutesKeptMs = 2 * dayMs;
const hoursKeptMs = 400 * dayMs;
const foldedFact = "pulse folded";

/** Adds the oldest minute of those that are to be hours to its hour, or forgets the oldest hour; there are never many rows in one. */
export const foldPulse: Verb<{ now: number }, boolean> = each(async (tx, { now }) => {
  const { db } = tx;
  const oldest = await firstMinute(tx, 0, now - hoursKeptMs);
  if (oldest !== null) {
    await db.deleteFrom("pulse").where("minute", "=", oldest).execute();
    return true;
  }
  const fact = await locking(tx, db.selectFrom("fact").select("value").where("name", "=", foldedFact)).executeTakeFirst();
  const minute = await firstMinute(tx, Number(fact?.value ?? 0), Math.floor((now - minutesKeptMs) / hourMs) * hourMs);
  if (minute === null) return false;
  const hour = minute - (minute % hourMs);
  if (minute !== hour) {
    const others = columns.filter((column) => column !== "minute");
    const rows = db
      .selectFrom("pulse")
      .select([sql.raw<number>(String(hour)).as("minute"), ...others])
      .where("minute", "=", minute);
    await adding(
      db
        .insertInto("pulse")
        .columns(["minute", ...others])
        .expression(rows),
    ).execute();
    await db.deleteFrom("pulse").where("minute", "=", minute).execute();
  }
  const value = String(minute + minuteMs);
  await db
    .insertInto("fact")
    .values({ name: foldedFact, value, at: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value, at: now }))
    .execute();
  return true;
});

async function firstMinute({ db }: Tx, from: number, before: number): Promise<number | null> {
  const row = await db
    .selectFrom("pulse")
    .select("minute")
    .where("minute", ">=", from)
    .where("minute", "<", before)
    .orderBy("minute")
    .limit(1)
    .executeTakeFirst();
  return row?.minute ?? null;
}
