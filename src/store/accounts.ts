import type { StoreWrites } from "../core/ports.ts";
import type { Account, Key, KeyLimits } from "../core/records.ts";
import { creditLines } from "../core/ledger.ts";
import { post } from "./books.ts";
import { reclaim } from "./leases.ts";
import { each, eachBy, locking, type Tx, type Verb } from "./query.ts";
import { accountOf, keyOf } from "./rows.ts";

type Request<V extends keyof StoreWrites> = Parameters<StoreWrites[V]>[0];
type Reply<V extends keyof StoreWrites> = Awaited<ReturnType<StoreWrites[V]>>;

/** Null when the name is taken. */
export const createAccount: Verb<Request<"createAccount">, Account | null> = each(async ({ db }, { id, name, starter, now }) => {
  const row = await db
    .insertInto("account")
    .values({
      id,
      name,
      available: 0,
      held: 0,
      spent: 0,
      leased: 0,
      frozen: 0,
      starter: starter ? 1 : 0,
      hook_secret: null,
      created_at: now,
      month: 0,
      month_spent: 0,
    })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : accountOf(row);
});

export const updateAccount: Verb<Request<"updateAccount">, Account | null> = each(async ({ db }, change) => {
  const { id, name, frozen, budgetNanos, budgetMarks } = change;
  const row = await db
    .updateTable("account")
    .set((eb) => ({
      name: name ?? eb.ref("name"),
      frozen: frozen === undefined ? eb.ref("frozen") : Number(frozen),
      ...(budgetNanos !== undefined && { budget: budgetNanos }),
      ...(budgetMarks !== undefined && { budget_marks: JSON.stringify(budgetMarks) }),
    }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : accountOf(row);
});

/** Adds to or takes from what is available, never below zero. The same credit id counts once. */
export const credit: Verb<Request<"credit">, Reply<"credit">> = eachBy(
  ({ account }) => account,
  async (tx, { id, account, nanos, note, now }) => {
    const row = await locking(tx, tx.db.selectFrom("account").selectAll().where("id", "=", account)).executeTakeFirst();
    if (row === undefined) return { outcome: "absent" };
    if (await posted(tx, id)) return { outcome: "credited", account: accountOf(row) };
    const left = row.available - row.leased + nanos;
    if (nanos < 0 && left < 0 && left + (await freed(tx, row, now)) < 0) return { outcome: "insufficient" };
    await post(tx, [{ id, kind: "credit", account, note, at: now, lines: creditLines(account, nanos) }]);
    return { outcome: "credited", account: accountOf({ ...row, available: row.available + nanos }) };
  },
);

/** What nodes left behind when they died is nobody's. */
async function freed(tx: Tx, { id, leased }: { id: string; leased: number }, now: number): Promise<number> {
  return leased === 0 ? 0 : ((await reclaim(tx, [id], now)).get(id) ?? 0);
}

async function posted({ db }: Tx, id: string): Promise<boolean> {
  return (await db.selectFrom("transfer").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** Null when there is no such account. */
export const createKey: Verb<Request<"createKey">, Key | null> = each(async ({ db }, key) => {
  const account = await db.selectFrom("account").select("id").where("id", "=", key.account).executeTakeFirst();
  if (account === undefined) return null;
  const row = await db
    .insertInto("api_key")
    .values({
      id: key.id,
      account: key.account,
      name: key.name,
      hash: key.hash,
      last_four: key.lastFour,
      scopes: listText(key.scopes),
      models: listText(key.models),
      ips: listText(key.ips),
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      created_at: key.createdAt,
      ...limitColumns(key.limits),
      spent: 0,
      running: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return keyOf(row);
});

export const updateKey: Verb<Request<"updateKey">, Key | null> = each(async ({ db }, change) => {
  const row = await db
    .updateTable("api_key")
    .set((eb) => ({
      name: change.name ?? eb.ref("name"),
      scopes: change.scopes === undefined ? eb.ref("scopes") : listText(change.scopes),
      models: change.models === undefined ? eb.ref("models") : listText(change.models),
      ips: change.ips === undefined ? eb.ref("ips") : listText(change.ips),
      expires_at: change.expiresAt === undefined ? eb.ref("expires_at") : change.expiresAt,
      revoked_at: change.revokedAt ?? eb.ref("revoked_at"),
      ...limitColumns(change.limits ?? {}),
      ...(change.secret && { hash: change.secret.hash, last_four: change.secret.lastFour }),
    }))
    .where("id", "=", change.id)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : keyOf(row);
});

function limitColumns(limits: Partial<KeyLimits>): Partial<Record<string, number | null>> {
  const { requestsPerMinute, tokensPerMinute, concurrentCalls, concurrentTasks, spendCapNanos } = limits;
  return {
    ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokens_per_minute: tokensPerMinute }),
    ...(concurrentCalls !== undefined && { concurrent_calls: concurrentCalls }),
    ...(concurrentTasks !== undefined && { concurrent_tasks: concurrentTasks }),
    ...(spendCapNanos !== undefined && { spend_cap: spendCapNanos }),
  };
}

function listText(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

export const recordAudit: Verb<Request<"recordAudit">, void> = each(async ({ db }, { now, ...act }) => {
  await db
    .insertInto("audit")
    .values({ ...act, at: now })
    .execute();
});
