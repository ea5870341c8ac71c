import { sql } from "kysely";
import type { Tx } from "./query.ts";
import { runRemembered } from "./remembered.ts";

type KeyUse = { key: string | null; spentNanos: number; running: number };

/** Counts what keys spend and run, each key once and in the order of their ids. */
export async function changeKeys(tx: Tx, uses: readonly KeyUse[]): Promise<void> {
  const sums = new Map<string, { spentNanos: number; running: number }>();
  for (const { key, spentNanos, running } of uses) {
    if (key === null) continue;
    const sum = sums.get(key) ?? { spentNanos: 0, running: 0 };
    sums.set(key, { spentNanos: sum.spentNanos + spentNanos, running: sum.running + running });
  }
  for (const [key, { spentNanos, running }] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (spentNanos === 0 && running === 0) continue;
    const [row] = await runRemembered(tx, "key use", () => keyChange(tx), [spentNanos, running, key]);
    if (typeof row?.["spent"] === "number") tx.news.keys.set(key, row["spent"]);
  }
}

function keyChange({ db }: Tx) {
  const set = { spent: sql<number>`spent + ${0}`, running: sql<number>`running + ${0}` };
  return db.updateTable("api_key").set(set).where("id", "=", "").returning("spent");
}
