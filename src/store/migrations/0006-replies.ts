import { sql, type ColumnDefinitionBuilder, type Kysely } from "kysely";

/** Replies to calls that were sent with an Idempotency-Key. The rows can be large: on SQLite they lie beside the key, not in it. */
export async function replies(db: Kysely<unknown>): Promise<void> {
  const given = (built: ColumnDefinitionBuilder) => built.notNull();
  await db.schema
    .createTable("reply")
    .addColumn("account", "text", given)
    .addColumn("route", "text", given)
    .addColumn("key", "text", given)
    .addColumn("fingerprint", "text", given)
    .addColumn("state", "text", given)
    .addColumn("node", "text", given)
    .addColumn("fence", "text", given)
    .addColumn("until", "bigint", given)
    .addColumn("mime", "text", given)
    .addColumn("provider", "text", given)
    .addColumn("body", "text", given)
    .addColumn("expires_at", "bigint", given)
    .addPrimaryKeyConstraint("reply_key", ["account", "route", "key"])
    .execute();
  await sql.raw("create index reply_by_end on reply(expires_at)").execute(db);
}
