import { sql, type ColumnDefinitionBuilder, type Kysely } from "kysely";
import type { Dialect } from "../query.ts";

/** What the nodes tell each other of the limits that they keep together. */
export async function sharedCounts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const given = (built: ColumnDefinitionBuilder) => built.notNull();
  const table = db.schema
    .createTable("tally")
    .addColumn("name", "text", given)
    .addColumn("node", "text", given)
    .addColumn("minute", "bigint", given)
    .addColumn("used", "bigint", given)
    .addColumn("running", "bigint", given)
    .addColumn("until", "bigint", given)
    .addPrimaryKeyConstraint("tally_key", ["name", "node"]);
  // What it holds is over within a minute: a crash of the server may empty it, and no commit has to wait for the disk.
  await (dialect === "sqlite" ? table.modifyEnd(sql`without rowid`) : table.modifyFront(sql`unlogged`)).execute();
}
