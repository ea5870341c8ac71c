import { sql } from "kysely";
import { balanceAlerts, budgetAlerts, creditedMs, type Alert, type CreditedAccount } from "../core/alert.ts";
import { newDelivery } from "../core/delivery.ts";
import type { Page } from "../core/records.ts";
import { put } from "./outbox.ts";
import { eachBy, type Query, type Verb } from "./query.ts";
import { accountOf, alertOf, endpointOf } from "./rows.ts";

const mostAtOnce = 200;

/** What somebody must be told of and was not yet; a portion of it where it is much. */
export async function dueAlerts(db: Query, { now }: { now: number }): Promise<Alert[]> {
  const budgeted = await db.selectFrom("account").selectAll().where("budget", "is not", null).where("month_spent", ">", 0).execute();
  const alerts = [
    ...budgeted.flatMap((row) => budgetAlerts(accountOf(row), now)),
    ...(await creditedAccounts(db)).flatMap((account) => balanceAlerts(account, now)),
  ];
  const due: Alert[] = [];
  for (let at = 0; at < alerts.length && due.length < mostAtOnce; at += mostAtOnce) {
    const portion = alerts.slice(at, at + mostAtOnce);
    const names = portion.map(({ name }) => name);
    const known = new Set((await db.selectFrom("alert").select("name").where("name", "in", names).execute()).map(({ name }) => name));
    due.push(...portion.filter(({ name }) => !known.has(name)));
  }
  return due;
}

/** Accounts whose balance may be low: a starter is topped up by itself. */
async function creditedAccounts(db: Query): Promise<CreditedAccount[]> {
  const latest = sql<string>`(select id from transfer where kind = 'credit' and account = account.id order by at desc, id desc limit 1)`;
  const rows = await db
    .selectFrom("account")
    .innerJoin("transfer as credit", (join) => join.on("credit.id", "=", latest))
    .where("account.starter", "=", 0)
    .select(["account.id", "account.available", "credit.id as creditId"])
    .select((eb) =>
      eb
        .selectFrom("transfer")
        .innerJoin("entry", (join) => join.onRef("entry.transfer", "=", "transfer.id").onRef("entry.account", "=", "transfer.account"))
        .whereRef("transfer.account", "=", "account.id")
        .where("transfer.kind", "=", "credit")
        .where("entry.bucket", "=", "available")
        .where("transfer.at", ">", sql<number>`credit.at - ${creditedMs}`)
        .select((inner) => inner.fn.sum<number | string>("entry.amount").as("credited"))
        .as("credited"),
    )
    .execute();
  return rows.map(({ id, available, creditId, credited }) => ({
    id,
    availableNanos: available,
    creditId,
    creditedNanos: Number(credited ?? 0),
  }));
}

/** Writes an alert down and, in the same commit, what is to be told to the addresses that want it. */
export const raiseAlert: Verb<{ alert: Alert; event: string; body: string }, boolean> = eachBy(
  ({ alert }) => alert.name,
  async (tx, { alert, event, body }) => {
    const { id, name, account, fact, at } = alert;
    const made = await tx.db
      .insertInto("alert")
      .values({ id, name, account, kind: fact.kind, detail: JSON.stringify(fact), at })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (made === undefined) return false;
    const endpoints = await tx.db
      .selectFrom("endpoint")
      .selectAll()
      .where("account", "=", account)
      .where("disabled_at", "is", null)
      .execute();
    const wanting = endpoints.map(endpointOf).filter(({ events }) => events.includes(event));
    const told = { account, task: null, event, style: "event" } as const;
    await put(
      tx,
      wanting.map(({ id: endpoint, url }) => ({ ...newDelivery({ ...told, endpoint, url }, at), body })),
      at,
    );
    return true;
  },
);

export async function listAlerts(db: Query, { account, limit, after }: Page & { account: string | null }): Promise<Alert[]> {
  let query = db.selectFrom("alert").selectAll().orderBy("id", "desc").limit(limit);
  if (account !== null) query = query.where("account", "=", account);
  if (after !== undefined) query = query.where("id", "<", after);
  return (await query.execute()).map(alertOf);
}
