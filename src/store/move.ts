import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql, type Kysely } from "kysely";
import { errorCode } from "../kit/error-code.ts";
import { auditSentences, compareData, type Tell } from "./compare.ts";
import { copyData } from "./copy.ts";
import { lockFolder } from "./folder-lock.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { openDatabase } from "./node-sqlite.ts";
import { withPostgres } from "./postgres-database.ts";
import type { Database } from "./schema.ts";
import { tableNames } from "./table-keys.ts";
import { countRows } from "./table-rows.ts";
import { beginCopy, endCopy, unfinishedCopy } from "./unfinished-copy.ts";

export type MoveOptions = {
  dataDir: string;
  url: string;
  /** Compares only, and changes nothing. */
  onlyCheck: boolean;
  /** A copy that was begun there and not finished is cleared first. */
  startOver: boolean;
  onCopied: Tell;
  onCompared: Tell;
};

export type Moved =
  | { state: "same"; rows: number; resumed: boolean }
  | { state: "refused"; says: string }
  | { state: "differs"; differences: string[] };

/** Copies the embedded database of a data folder, of which no row is changed, into an empty PostgreSQL and compares the two. */
export async function moveData(options: MoveOptions): Promise<Moved> {
  const file = join(options.dataDir, "genway.db");
  if (!existsSync(file)) return refused(`There is no SQLite database in ${options.dataDir}: nothing to move.`);
  const lock = lockFolder(options.dataDir);
  const { db: source } = openDatabase(file, "read");
  try {
    if ((await pendingMigrations(source, "sqlite")).length > 0)
      return refused("The SQLite database was made by an earlier version: run `genway migrate` first, with `store.url` not set.");
    const wrong = await auditSentences(source);
    if (wrong.length > 0)
      return refused(`The books of the SQLite database do not agree, and would not in PostgreSQL:\n${wrong.join("\n")}`);
    return await withPostgres(options.url, (target) => alone(target, () => move(options, source, target, fingerprint(file))));
  } finally {
    await source.destroy();
    lock.close();
  }
}

async function move(options: MoveOptions, source: Kysely<Database>, target: Kysely<Database>, mark: string): Promise<Moved> {
  const unfinished = await unfinishedCopy(target);
  const ready = options.onlyCheck
    ? await checkable(target, unfinished !== null)
    : await prepare(target, unfinished?.[0]?.source ?? null, mark, options.startOver);
  if (ready !== "ready") return refused(ready);
  return source.transaction().execute(async (snapshot) => {
    if (!options.onlyCheck) await copyData(snapshot, target, options.onCopied);
    const differences = await compareData(snapshot, target, options.onCompared);
    if (differences.length > 0) return { state: "differs", differences };
    if (!options.onlyCheck) await conclude(target);
    let rows = 0;
    for (const table of tableNames) rows += await countRows(snapshot, table);
    return { state: "same", rows, resumed: unfinished !== null && !options.startOver };
  });
}

async function checkable(target: Kysely<Database>, isUnfinished: boolean): Promise<string> {
  if (isUnfinished) return "The copy is not finished: run the same command without --check.";
  const pending = await pendingMigrations(target, "postgres");
  return pending.length === 0 ? "ready" : "There is no copy to check: this PostgreSQL does not have the tables of this version.";
}

/** Makes the target one that a copy can begin or go on in; answers why not when it holds something else. */
async function prepare(target: Kysely<Database>, begun: string | null, mark: string, startOver: boolean): Promise<string> {
  if (begun === mark && !startOver) return "ready";
  if (begun !== null && !startOver)
    return "This PostgreSQL holds an unfinished copy of another database, or of this one before it was changed: --yes clears it and starts over.";
  if (begun === null) {
    const taken = await firstTaken(target);
    if (taken !== null) return `This PostgreSQL is in use: its table ${taken} is not empty. Name an empty database.`;
    await migrate(target, "postgres", () => undefined);
  }
  await target.transaction().execute(async (tx) => {
    await sql`truncate table ${sql.join(tableNames.map((table) => sql.table(table)))}`.execute(tx);
    await sql`drop table if exists unfinished_copy`.execute(tx);
  });
  await beginCopy(target, mark);
  return "ready";
}

/** The first table that holds something; the chores that a service plans at its start do not count. */
async function firstTaken(target: Kysely<Database>): Promise<string | null> {
  for (const table of tableNames) {
    const { rows } = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(target);
    if (rows[0]?.there !== true) continue;
    const found = sql<object>`select 1 from ${sql.table(table)} ${table === "step" ? sql`where phase <> 'chore'` : sql``} limit 1`;
    if ((await found.execute(target)).rows.length > 0) return table;
  }
  return null;
}

async function conclude(target: Kysely<Database>): Promise<void> {
  // Else the first queries would be planned as if the tables were empty.
  await sql`analyze ${sql.join(tableNames.map((table) => sql.table(table)))}`.execute(target);
  await endCopy(target);
}

const copyLock = 4_417_290_871;

/** Does it while no other copy goes into the same database. */
async function alone(target: Kysely<Database>, act: () => Promise<Moved>): Promise<Moved> {
  return target.connection().execute(async (keeper) => {
    try {
      // The connection of a copy that was just killed may live on for a moment.
      await sql`set lock_timeout to '10s'`.execute(keeper);
      await sql`select pg_advisory_lock(${copyLock})`.execute(keeper);
    } catch (error) {
      if (errorCode(error) === lockNotAvailable) return refused("Another `genway migrate-data` is at work on this PostgreSQL.");
      throw error;
    }
    return act();
  });
}

const lockNotAvailable = "55P03";

/** Changes whenever the database file does, and is not the same for two files. */
function fingerprint(file: string): string {
  const wal = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false });
  const { size, mtimeNs, ino } = statSync(file, { bigint: true });
  return [ino, size, mtimeNs, ...(wal === undefined || wal.size === 0n ? [] : [wal.size, wal.mtimeNs])].join(":");
}

function refused(says: string): Moved {
  return { state: "refused", says };
}
