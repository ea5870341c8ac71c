import type { Kysely } from "kysely";
import type { Tell } from "./compare.ts";
import { noNews } from "./query.ts";
import { insertMany } from "./remembered.ts";
import type { Database } from "./schema.ts";
import { countRows, keyOf, readPortions, type Key, type Row } from "./table-rows.ts";
import { unfinishedCopy, type Bookmark, type CopyDatabase } from "./unfinished-copy.ts";

/** Copies every table from where its bookmark stands; what was copied before a break is not copied again. */
export async function copyData(source: Kysely<Database>, target: Kysely<Database>, tell: Tell): Promise<void> {
  for (const bookmark of (await unfinishedCopy(target)) ?? []) {
    const count = await countRows(source, bookmark.name);
    let { rows } = bookmark;
    tell(bookmark.name, rows, count);
    for await (const portion of readPortions(source, bookmark.name, lastKey(bookmark))) {
      rows += portion.length;
      await copyPortion(target, { ...bookmark, rows }, portion);
      tell(bookmark.name, rows, count);
    }
  }
}

function lastKey({ last }: Bookmark): Key | null {
  return last === null ? null : (JSON.parse(last) as Key);
}

async function copyPortion(target: Kysely<Database>, { name, rows }: Bookmark, portion: Row[]): Promise<void> {
  const end = portion.at(-1);
  const last = end === undefined ? null : JSON.stringify(keyOf(name, end));
  await target.transaction().execute(async (db) => {
    // The rows come from the table of the same name.
    await insertMany({ db, dialect: "postgres", news: noNews(), again: false }, name, portion as unknown as Database[typeof name][]);
    await db
      .withTables<Pick<CopyDatabase, "unfinished_copy">>()
      .updateTable("unfinished_copy")
      .set({ rows, last })
      .where("name", "=", name)
      .execute();
  });
}
