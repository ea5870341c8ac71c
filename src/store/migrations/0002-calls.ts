import { sql, type CreateTableBuilder, type Kysely } from "kysely";
import type { Dialect } from "../query.ts";

/** Limits of keys, what each key spent, and the use of calls by the minute. */
export async function calls(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const column of ["requests_per_minute", "tokens_per_minute", "concurrent_calls", "concurrent_tasks", "spend_cap"])
    await db.schema.alterTable("api_key").addColumn(column, "bigint").execute();
  for (const column of ["spent", "running"])
    await db.schema
      .alterTable("api_key")
      .addColumn(column, "bigint", (built) => built.notNull().defaultTo(0))
      .execute();
  // Tasks that are under way count against their key from now on.
  await sql
    .raw(
      `update api_key set
        running = (select count(*) from task where task.api_key = api_key.id and task.finished_at is null),
        spent = (select coalesce(sum(coalesce(task.cost, task.hold)), 0) from task where task.api_key = api_key.id)`,
    )
    .execute(db);
  let usage: CreateTableBuilder<string, string> = db.schema.createTable("usage");
  for (const name of ["account", "api_key", "operation", "model", "provider", "transfer"])
    usage = usage.addColumn(name, "text", (built) => built.notNull());
  for (const name of ["minute", "calls", "estimated", "input_tokens", "output_tokens", "cost", "paid", "ms"])
    usage = usage.addColumn(name, "bigint", (built) => built.notNull());
  usage = usage.addPrimaryKeyConstraint("usage_key", ["minute", "account", "api_key", "operation", "model", "provider", "transfer"]);
  if (dialect === "sqlite") usage = usage.modifyEnd(sql`without rowid`);
  await usage.execute();
  await sql.raw("create index usage_unposted on usage(account) where transfer = ''").execute(db);
}
