import { sql, type Kysely } from "kysely";
import type { Database } from "./schema.ts";
import { tableNames, type TableName } from "./table-keys.ts";

/** How far a table is copied: written with its rows in one transaction, so that a copy that broke off knows where it stood. */
export type Bookmark = { name: TableName; source: string; rows: number; last: string | null };

/** The database of a copy under way, which has one table more. */
export type CopyDatabase = Database & { unfinished_copy: Bookmark };

/** The bookmarks of a copy that was begun here and not finished; null when there is none. */
export async function unfinishedCopy(db: Kysely<Database>): Promise<Bookmark[] | null> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('unfinished_copy') is not null as there`.execute(db);
  if (rows[0]?.there !== true) return null;
  return db.withTables<{ unfinished_copy: Bookmark }>().selectFrom("unfinished_copy").selectAll().execute();
}

/** Throws when the tables hold a part of another installation: whoever worked on it would forget files and pay twice. */
export async function refuseUnfinishedCopy(db: Kysely<Database>): Promise<void> {
  if ((await unfinishedCopy(db)) === null) return;
  throw new Error("This PostgreSQL holds a copy that is not finished. Run `genway migrate-data` again, with the same --to.", {
    cause: "the table unfinished_copy is there",
  });
}

/** Notes that a copy begins, with no row of any table copied yet. */
export async function beginCopy(db: Kysely<Database>, source: string): Promise<void> {
  const bookmarks: Bookmark[] = tableNames.map((name) => ({ name, source, rows: 0, last: null }));
  await db.transaction().execute(async (tx) => {
    await tx.schema
      .createTable("unfinished_copy")
      .addColumn("name", "text", (built) => built.primaryKey())
      .addColumn("source", "text", (built) => built.notNull())
      .addColumn("rows", "bigint", (built) => built.notNull())
      .addColumn("last", "text")
      .execute();
    await tx.withTables<{ unfinished_copy: Bookmark }>().insertInto("unfinished_copy").values(bookmarks).execute();
  });
}

export async function endCopy(db: Kysely<Database>): Promise<void> {
  await db.schema.dropTable("unfinished_copy").execute();
}
