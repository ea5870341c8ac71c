import pg from "pg";
import type { TemporaryPostgres } from "../support/postgres.ts";

/** The databases of a temporary server, made and looked into by name. */
export type Databases = {
  urlOf(database: string): string;
  /** A new database, empty or like another; answers its address. */
  create(database: string, template?: string): Promise<string>;
  /** Runs statements one after the other and answers the rows of the last. */
  ask(database: string, ...statements: string[]): Promise<Record<string, unknown>[]>;
  count(database: string, table: string): Promise<number>;
};

export function databasesOf(server: TemporaryPostgres): Databases {
  const urlOf = (database: string) => server.url.replace(/\/postgres$/, `/${database}`);

  async function ask(database: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: urlOf(database) });
    await client.connect();
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) rows = (await client.query(statement)).rows;
      return rows;
    } finally {
      await client.end();
    }
  }

  return {
    urlOf,
    ask,
    async create(database, template = "template1") {
      await ask("postgres", `create database ${database} template ${template}`);
      return urlOf(database);
    },
    count: async (database, table) => Number((await ask(database, `select count(*) as n from "${table}"`))[0]?.["n"]),
  };
}
