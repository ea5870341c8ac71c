import { sql } from "kysely";
import type { LedgerPlace, LedgerQuestion, LedgerRow } from "../core/ledger-row.ts";
import type { Query } from "./query.ts";

/** Movements of an account's money, newest first, with the balance after each; one snapshot for all questions. */
export async function ledger(db: Query, question: LedgerQuestion): Promise<LedgerRow[] | null> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const place = await placeOf(tx, question);
      return place === null ? null : rowsBefore(tx, question, place);
    });
}

async function rowsBefore(db: Query, { account, from, limit }: LedgerQuestion, place: LedgerPlace): Promise<LedgerRow[]> {
  const rows = await db
    .selectFrom("transfer")
    .select(["id", "kind", "note", "at", changeOf("available").as("available"), changeOf("held").as("held")])
    .where("account", "=", account)
    .where("at", ">=", from)
    .where(sql<boolean>`(at, id) < (${place.at}, ${place.id})`)
    // What cost nothing moved nothing.
    .where((eb) =>
      eb.exists(eb.selectFrom("entry").select("line").whereRef("entry.transfer", "=", "transfer.id").where("entry.account", "=", account)),
    )
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  let balanceNanos = place.balanceNanos;
  return rows.map(({ id, kind, note, at, available, held }) => {
    const row = { id, kind: kind as LedgerRow["kind"], note, at, availableNanos: Number(available), heldNanos: Number(held), balanceNanos };
    balanceNanos -= row.availableNanos;
    return row;
  });
}

function changeOf(bucket: "available" | "held") {
  return sql<number | string>`(select coalesce(sum(amount), 0) from entry
    where entry.transfer = transfer.id and entry.account = transfer.account and entry.bucket = ${bucket})`;
}

/** Where a list begins; null where the row to go on after is not there. */
async function placeOf(db: Query, { account, to, after }: LedgerQuestion): Promise<LedgerPlace | null> {
  if (typeof after === "object") return after;
  const newest = { at: to, id: "" };
  const known =
    after === undefined
      ? newest
      : await db.selectFrom("transfer").select(["at", "id"]).where("account", "=", account).where("id", "=", after).executeTakeFirst();
  if (known === undefined) return null;
  // The balance now, without what came after that place.
  const { sum } = await db
    .selectFrom("transfer")
    .innerJoin("entry", (join) => join.onRef("entry.transfer", "=", "transfer.id").onRef("entry.account", "=", "transfer.account"))
    .select((eb) => eb.fn.sum<number | string | null>("entry.amount").as("sum"))
    .where("transfer.account", "=", account)
    .where("entry.bucket", "=", "available")
    .where(sql<boolean>`(transfer.at, transfer.id) >= (${known.at}, ${known.id})`)
    .executeTakeFirstOrThrow();
  return { ...known, balanceNanos: (await enteredBalance(db, account)) - Number(sum ?? 0) };
}

/** What the ledger says is available: the balance, and what calls have cost that is not posted yet. */
async function enteredBalance(db: Query, account: string): Promise<number> {
  const row = await db.selectFrom("account").select("available").where("id", "=", account).executeTakeFirst();
  return (row?.available ?? 0) + (await unposted(db, { account }));
}

/** What calls of an account have cost that is not posted yet. */
export async function unposted(db: Query, { account }: { account: string }): Promise<number> {
  const { sum } = await db
    .selectFrom("usage")
    .select((eb) => eb.fn.sum<number | string | null>("paid").as("sum"))
    .where("account", "=", account)
    .where("transfer", "=", "")
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}
