import { sql } from "kysely";
import { monthOf } from "../core/budget.ts";
import { balanceChanges, type Line } from "../core/ledger.ts";
import { insertMany, runRemembered } from "./remembered.ts";
import type { Tx } from "./query.ts";

export type Transfer = {
  id: string;
  kind: "hold" | "settle" | "release" | "credit" | "charge";
  account: string;
  note: string;
  at: number;
  lines: Line[];
  spentNanos?: number;
};

/** Posts transfers: entries are appended and the cached balances follow, in one go and in the order of account ids. */
export async function post(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  await enter(tx, transfers);
  const changes = balanceChanges(transfers.flatMap(({ lines }) => lines));
  const spent = new Map<string, number>();
  for (const { account, spentNanos = 0 } of transfers) spent.set(account, (spent.get(account) ?? 0) + spentNanos);
  const at = transfers.reduce((latest, transfer) => Math.max(latest, transfer.at), 0);
  for (const [account, { availableNanos, heldNanos }] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await changeBalance(tx, account, { availableNanos, heldNanos, spentNanos: spent.get(account) ?? 0, at });
  }
}

/** Changes the cached balance of an account and what it has spent in the month, and tells of it. */
export async function changeBalance(
  tx: Tx,
  account: string,
  { availableNanos, heldNanos, spentNanos, at }: { availableNanos: number; heldNanos: number; spentNanos: number; at: number },
): Promise<void> {
  const month = monthOf(at);
  const values = [availableNanos, heldNanos, spentNanos, month, spentNanos, spentNanos, month, month, account];
  const [row] = await runRemembered(tx, "balance", () => balanceChange(tx), values);
  if (typeof row?.["available"] === "number") tx.news.accounts.set(account, row["available"]);
}

/** Appends transfers and their entries alone: for what the balances know already. */
export async function enter(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  await insertMany(
    tx,
    "transfer",
    transfers.map(({ id, kind, account, note, at }) => ({ id, kind, account, note, at })),
  );
  const entries = transfers.flatMap(({ id, lines }) =>
    lines.map(({ account, bucket, amountNanos }, line) => ({ transfer: id, line, account, bucket, amount: amountNanos })),
  );
  await insertMany(tx, "entry", entries);
}

function balanceChange({ db }: Tx) {
  const set = {
    available: sql<number>`available + ${0}`,
    held: sql<number>`held + ${0}`,
    spent: sql<number>`spent + ${0}`,
    month_spent: sql<number>`case when month < ${0} then ${0} else month_spent + ${0} end`,
    month: sql<number>`case when month < ${0} then ${0} else month end`,
  };
  return db.updateTable("account").set(set).where("id", "=", "").returning("available");
}
