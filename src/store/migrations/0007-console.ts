import { sql, type ColumnDefinitionBuilder, type Kysely } from "kysely";
import type { Dialect } from "../query.ts";

/** What a console shows: where tasks come from, what was asked in each minute and how fast it was, budgets and alerts. */
export async function consoleTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const given = (built: ColumnDefinitionBuilder) => built.notNull();
  await db.schema.alterTable("task").addColumn("parent", "text").execute();
  await sql.raw("create index task_by_parent on task(parent) where parent is not null").execute(db);
  // Those are looked for among many, and are few.
  await sql.raw("create index task_open on task(id) where finished_at is null").execute(db);
  await sql.raw("create index task_failed on task(id) where status = 'FAILURE'").execute(db);
  await db.schema.alterTable("account").addColumn("budget", "bigint").execute();
  await db.schema.alterTable("account").addColumn("budget_marks", "text").execute();
  await countThisMonth(db, dialect);
  const alert = db.schema
    .createTable("alert")
    .addColumn("id", "text", given)
    .addColumn("name", "text", given)
    .addColumn("account", "text", given)
    .addColumn("kind", "text", given)
    .addColumn("detail", "text", given)
    .addColumn("at", "bigint", given)
    .addPrimaryKeyConstraint("alert_key", ["id"])
    .addUniqueConstraint("alert_once", ["name"]);
  const pulse = db.schema
    .createTable("pulse")
    .addColumn("minute", "bigint", given)
    .addColumn("account", "text", given)
    .addColumn("api_key", "text", given)
    .addColumn("operation", "text", given)
    .addColumn("model", "text", given)
    .addColumn("provider", "text", given)
    .addColumn("outcome", "text", given)
    .addColumn("speed", "bigint", given)
    .addColumn("wait", "bigint", given)
    .addColumn("requests", "bigint", given)
    .addColumn("input_tokens", "bigint", given)
    .addColumn("output_tokens", "bigint", given)
    .addColumn("cost", "bigint", given)
    .addPrimaryKeyConstraint("pulse_key", ["minute", "account", "api_key", "operation", "model", "provider", "outcome", "speed", "wait"]);
  for (const table of [alert, pulse]) await (dialect === "sqlite" ? table.modifyEnd(sql`without rowid`) : table).execute();
  await sql.raw("create index pulse_by_account on pulse(account, minute)").execute(db);
  await sql.raw("create index alert_by_account on alert(account, id)").execute(db);
  await sql.raw("create index delivery_failed on delivery(id) where state = 'failed'").execute(db);
  await sql.raw("create index transfer_by_account on transfer(account, at, id)").execute(db);
  await sql.raw("create index credit_by_account on transfer(account, at, id) where kind = 'credit'").execute(db);
}

/** What accounts have spent since this month began: from now on it is counted as they spend, until here it is read from the ledger. */
async function countThisMonth(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const column of ["month", "month_spent"])
    await db.schema
      .alterTable("account")
      .addColumn(column, "bigint", (built) => built.notNull().defaultTo(0))
      .execute();
  const month =
    dialect === "sqlite"
      ? "(cast(strftime('%s', 'now', 'start of month') as integer) * 1000)"
      : "(cast(extract(epoch from date_trunc('month', now() at time zone 'utc')) as bigint) * 1000)";
  await sql
    .raw(
      `update account set month = ${month}, month_spent =
        (select coalesce(-sum(entry.amount), 0) from transfer join entry on entry.transfer = transfer.id and entry.account = transfer.account
          where transfer.account = account.id and transfer.kind in ('settle', 'charge') and transfer.at >= ${month}) +
        (select coalesce(sum(usage.paid), 0) from usage
          where usage.account = account.id and usage.transfer = '' and usage.minute >= ${month})`,
    )
    .execute(db);
}
