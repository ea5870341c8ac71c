import { sql } from "kysely";
import { balanceChanges, type Line } from "../core/ledger.ts";
import type { Tx } from "./query.ts";

export type Transfer = {
  id: string;
  kind: "hold" | "settle" | "release" | "credit";
  account: string;
  note: string;
  at: number;
  lines: Line[];
  spentNanos?: number;
};

/** Posts transfers: entries are appended and the cached balances follow, in one go and in the order of account ids. */
export async function post({ db }: Tx, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  await db
    .insertInto("transfer")
    .values(transfers.map(({ id, kind, account, note, at }) => ({ id, kind, account, note, at })))
    .execute();
  const entries = transfers.flatMap(({ id, lines }) =>
    lines.map(({ account, bucket, amountNanos }, line) => ({ transfer: id, line, account, bucket, amount: amountNanos })),
  );
  if (entries.length > 0) await db.insertInto("entry").values(entries).execute();
  const changes = balanceChanges(transfers.flatMap(({ lines }) => lines));
  const spent = new Map<string, number>();
  for (const { account, spentNanos = 0 } of transfers) spent.set(account, (spent.get(account) ?? 0) + spentNanos);
  for (const [account, { availableNanos, heldNanos }] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await db
      .updateTable("account")
      .set({
        available: sql`available + ${availableNanos}`,
        held: sql`held + ${heldNanos}`,
        spent: sql`spent + ${spent.get(account) ?? 0}`,
      })
      .where("id", "=", account)
      .execute();
  }
}
