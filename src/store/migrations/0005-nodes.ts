import { sql, type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely } from "kysely";
import type { Dialect } from "../query.ts";

/** The processes that share a database, what they have leased of balances, what they agree on, and starts by the minute. */
export async function nodes(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const given = (built: ColumnDefinitionBuilder) => built.notNull();
  const zero = (built: ColumnDefinitionBuilder) => built.notNull().defaultTo(0);
  const make = (table: CreateTableBuilder<string, string>) =>
    (dialect === "sqlite" ? table.modifyEnd(sql`without rowid`) : table).execute();
  await make(
    db.schema
      .createTable("node")
      .addColumn("id", "text", given)
      .addColumn("name", "text", given)
      .addColumn("role", "text", given)
      .addColumn("version", "text", given)
      .addColumn("started_at", "bigint", given)
      .addColumn("seen_at", "bigint", given)
      .addPrimaryKeyConstraint("node_key", ["id"]),
  );
  await make(
    db.schema
      .createTable("lease")
      .addColumn("account", "text", given)
      .addColumn("node", "text", given)
      .addColumn("epoch", "bigint", given)
      .addColumn("amount", "bigint", given)
      .addColumn("until", "bigint", given)
      .addPrimaryKeyConstraint("lease_key", ["account", "node"]),
  );
  await make(
    db.schema
      .createTable("fact")
      .addColumn("name", "text", given)
      .addColumn("value", "text", given)
      .addColumn("at", "bigint", given)
      .addPrimaryKeyConstraint("fact_key", ["name"]),
  );
  await db.schema.alterTable("account").addColumn("leased", "bigint", zero).execute();
  for (const column of ["minute", "started"]) await db.schema.alterTable("gate").addColumn(column, "bigint", zero).execute();
  await sql.raw("create index lease_by_node on lease(node)").execute(db);
  await sql.raw("create index lease_by_end on lease(until)").execute(db);
  await sql.raw("create index step_by_lane on step(lane, run_at) where phase = 'poll'").execute(db);
}
