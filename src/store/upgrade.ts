import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lockFolder } from "./folder-lock.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./node-sqlite.ts";
import { withPostgres } from "./postgres-database.ts";
import { backUp } from "./sqlite-backup.ts";
import { refuseUnfinishedCopy } from "./unfinished-copy.ts";

/** Brings the tables in a data folder up to date and answers the names of the changes; throws when a service runs on it. */
export async function upgradeSqlite(dataDir: string): Promise<string[]> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  try {
    const file = join(dataDir, "genway.db");
    const { raw, db } = openDatabase(file, "write");
    try {
      return await migrate(db, "sqlite", () => backUp(raw, file));
    } finally {
      await db.destroy();
    }
  } finally {
    lock.close();
  }
}

/** The same on PostgreSQL, where others may run, or do the same at this moment: the one that comes first does it, the others wait. */
export async function upgradePostgres(url: string): Promise<string[]> {
  return withPostgres(url, async (db) => {
    await refuseUnfinishedCopy(db);
    return migrate(db, "postgres", () => undefined);
  });
}
