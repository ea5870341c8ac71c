import { sql, type Kysely } from "kysely";
import type { Dialect } from "../query.ts";

/** Acts on pictures that wait for their client to say more, and why attempts failed. */
export async function media(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema
    .createTable("modal")
    .addColumn("id", "text", (built) => built.notNull())
    .addColumn("account", "text", (built) => built.notNull())
    .addColumn("body", "text", (built) => built.notNull())
    .addColumn("created_at", "bigint", (built) => built.notNull())
    .addPrimaryKeyConstraint("modal_key", ["id"]);
  await (dialect === "sqlite" ? table.modifyEnd(sql`without rowid`) : table).execute();
  await db.schema.alterTable("attempt").addColumn("failure", "text").execute();
  await sql.raw("create index modal_by_age on modal(created_at)").execute(db);
}
