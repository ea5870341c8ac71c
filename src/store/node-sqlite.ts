import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Database } from "./schema.ts";

const mostStatements = 500;

/** Opens the embedded database with every commit on disk before it returns. */
export function openDatabase(file: string, access: "write" | "read"): { raw: DatabaseSync; db: Kysely<Database> } {
  const raw = new DatabaseSync(file, { readOnly: access === "read", timeout: 5_000 });
  raw.exec(
    access === "write"
      ? "pragma journal_mode=wal; pragma synchronous=full; pragma fullfsync=1; pragma wal_autocheckpoint=4000"
      : "pragma query_only=1",
  );
  raw.exec(`pragma cache_size=${access === "write" ? -32_000 : -8_000}; pragma temp_store=memory`);
  const cache = new Map<
    string,
    {
      reader: boolean;
      all(values: readonly unknown[]): unknown[];
      run(values: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
    }
  >();

  function prepare(text: string) {
    const known = cache.get(text);
    if (known !== undefined) return known;
    if (cache.size >= mostStatements) cache.clear();
    const statement: StatementSync = raw.prepare(text);
    const made = {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
      run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
      iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])) as IterableIterator<unknown>,
    };
    cache.set(text, made);
    return made;
  }

  const db = new Kysely<Database>({
    dialect: new SqliteDialect({
      database: { close: () => raw.close(), prepare } as ConstructorParameters<typeof SqliteDialect>[0]["database"] & object,
    }),
  });
  return { raw, db };
}
