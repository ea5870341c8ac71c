import { sql, type Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { foundation } from "./migrations/0001-foundation.ts";
import { calls } from "./migrations/0002-calls.ts";
import { media } from "./migrations/0003-media.ts";
import { sharedCounts } from "./migrations/0004-shared-counts.ts";
import { nodes } from "./migrations/0005-nodes.ts";
import { replies } from "./migrations/0006-replies.ts";
import { consoleTables } from "./migrations/0007-console.ts";
import type { Dialect } from "./query.ts";
import type { Database } from "./schema.ts";

const migrations: Record<string, (db: Kysely<unknown>, dialect: Dialect) => Promise<void>> = {
  "0001-foundation": foundation,
  "0002-calls": calls,
  "0003-media": media,
  "0004-shared-counts": sharedCounts,
  "0005-nodes": nodes,
  "0006-replies": replies,
  "0007-console": consoleTables,
};

/** Brings the tables up to date and answers the names of the changes; `beforeChange` runs once, only if there is something to do on a database that already has data. */
export async function migrate(db: Kysely<Database>, dialect: Dialect, beforeChange: () => Promise<void> | void): Promise<string[]> {
  const migrator = migratorOf(db, dialect);
  const pending = await pendingOf(db, migrator);
  if (pending.length === 0) return [];
  if (pending.length < Object.keys(migrations).length) await beforeChange();
  let names: string[] = [];
  await whole(db, dialect, async () => {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error !== undefined)
      throw new Error(`The database could not be brought up to date: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    names = results.map(({ migrationName }) => migrationName);
  });
  return names;
}

/** The changes that a database has not seen yet; throws when it has seen some that are not known here. */
export async function pendingMigrations(db: Kysely<Database>, dialect: Dialect): Promise<string[]> {
  return pendingOf(db, migratorOf(db, dialect));
}

function migratorOf(db: Kysely<Database>, dialect: Dialect): Migrator {
  return new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, run]) => [name, { up: (tx: Kysely<unknown>) => run(tx, dialect) }])),
    },
  });
}

async function pendingOf(db: Kysely<Database>, migrator: Migrator): Promise<string[]> {
  const known = await migrator.getMigrations();
  const pending = known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  if (pending.length === known.length) return pending;
  // The migrator tells of those alone that it was given.
  const seen = await db.withTables<{ kysely_migration: { name: string } }>().selectFrom("kysely_migration").select("name").execute();
  const newer = seen.map(({ name }) => name).filter((name) => !(name in migrations));
  if (newer.length > 0)
    throw new Error(`The database was made by a newer version (${newer.join(", ")}); run that version, or restore a backup.`, {
      cause: newer,
    });
  return pending;
}

/** The migrator opens a transaction on PostgreSQL only; without one here, a service killed at its first start could never start again. */
async function whole(db: Kysely<Database>, dialect: Dialect, change: () => Promise<void>): Promise<void> {
  if (dialect === "postgres") return change();
  await sql`begin immediate`.execute(db);
  try {
    await change();
    await sql`commit`.execute(db);
  } catch (error) {
    await sql`rollback`.execute(db);
    throw error;
  }
}
