import { sql } from "kysely";
import { grantLease, type LeaseReply, type LeaseRequest } from "../core/lease.ts";
import { eachBy, locking, type Tx, type Verb } from "./query.ts";
import type { Database } from "./schema.ts";

/** Lends a part of a balance to a node, and renews what it has. Whoever touches leases has locked their account. */
export const lease: Verb<LeaseRequest, LeaseReply> = eachAccount(async (tx, request) => {
  const { account, node, now, until } = request;
  const row = await locking(
    tx,
    tx.db.selectFrom("account").select(["available", "leased", "frozen"]).where("id", "=", account),
  ).executeTakeFirst();
  if (row === undefined) return { epoch: request.epoch, grantedNanos: 0, leasedNanos: 0, freeNanos: 0 };
  const freed = (await reclaim(tx, [account], now, node)).get(account) ?? 0;
  const own = await tx.db.selectFrom("lease").selectAll().where("account", "=", account).where("node", "=", node).executeTakeFirst();
  const had = own?.amount ?? 0;
  // A node that has lost sight of its lease does not know what charges on their way still take from it.
  const kept = own?.epoch === request.held ? had : 0;
  const free = row.available - row.leased + freed + had - kept;
  const grantedNanos = row.frozen === 1 ? 0 : grantLease(free, request);
  const leasedNanos = kept + grantedNanos;
  const epoch = kept > 0 ? request.held : request.epoch;
  await writeLease(tx, { account, node, epoch, amount: leasedNanos, until });
  await changeLeased(tx, account, leasedNanos - had);
  return { epoch, grantedNanos, leasedNanos, freeNanos: free - grantedNanos };
});

/** A lease of nothing is none. */
async function writeLease({ db }: Tx, row: Database["lease"]): Promise<void> {
  const { account, node, epoch, amount, until } = row;
  if (amount === 0) {
    await db.deleteFrom("lease").where("account", "=", account).where("node", "=", node).execute();
    return;
  }
  await db
    .insertInto("lease")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account", "node"]).doUpdateSet({ epoch, amount, until }))
    .execute();
}

/** Takes back what a node gives back, at most what it still has; answers how much that was. */
export const returnLease: Verb<LeaseName & { nanos: number }, number> = eachAccount(async (tx, request) => {
  const { account, nanos } = request;
  await locking(tx, tx.db.selectFrom("account").select("id").where("id", "=", account)).execute();
  const given = Math.min(nanos, await leasedBy(tx, request));
  await takeFromLease(tx, request, given);
  return given;
});

function eachAccount<I extends { account: string }, R>(act: (tx: Tx, item: I) => Promise<R>): Verb<I, R> {
  return eachBy(({ account }) => account, act);
}

/** Takes back, for accounts that are locked, what nodes did not renew in time; answers how much that was for each. */
export async function reclaim(tx: Tx, accounts: readonly string[], now: number, except = ""): Promise<Map<string, number>> {
  const rows = await tx.db
    .deleteFrom("lease")
    .where("account", "in", [...accounts])
    .where("node", "<>", except)
    .where("until", "<", now)
    .returning(["account", "amount"])
    .execute();
  const freed = new Map<string, number>();
  for (const { account, amount } of rows) freed.set(account, (freed.get(account) ?? 0) + amount);
  for (const [account, nanos] of freed) await changeLeased(tx, account, -nanos);
  return freed;
}

/** What a lease still holds; 0 where it is another one by now. */
export async function leasedBy({ db }: Tx, { account, node, epoch }: LeaseName): Promise<number> {
  const row = await db
    .selectFrom("lease")
    .select("amount")
    .where("account", "=", account)
    .where("node", "=", node)
    .where("epoch", "=", epoch)
    .executeTakeFirst();
  return row?.amount ?? 0;
}

export type LeaseName = { account: string; node: string; epoch: number };

/** Makes a lease smaller, and lets it go with the last of it. */
export async function takeFromLease(tx: Tx, { account, node, epoch }: LeaseName, nanos: number): Promise<void> {
  if (nanos === 0) return;
  const { amount } = await tx.db
    .updateTable("lease")
    .set({ amount: sql<number>`amount - ${nanos}` })
    .where("account", "=", account)
    .where("node", "=", node)
    .where("epoch", "=", epoch)
    .returning("amount")
    .executeTakeFirstOrThrow();
  if (amount === 0) await tx.db.deleteFrom("lease").where("account", "=", account).where("node", "=", node).execute();
  await changeLeased(tx, account, -nanos);
}

async function changeLeased({ db }: Tx, account: string, by: number): Promise<void> {
  if (by === 0) return;
  await db
    .updateTable("account")
    .set({ leased: sql<number>`leased + ${by}` })
    .where("id", "=", account)
    .execute();
}
