import pg from "pg";

/** Reads the database beside the nodes. */
export type Observer = {
  /** Null while the database is down. */
  ask<R>(query: string): Promise<R[] | null>;
  close(): Promise<void>;
};

const int8 = 20;

export function createObserver(url: string): Observer {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 2_000 });
  pool.on("error", () => undefined);
  return {
    ask: async <R>(query: string) => {
      try {
        return withNumbers(await pool.query<Record<string, unknown>>(query)) as R[];
      } catch (error) {
        // A question that is wrong would else look like a database that is down.
        if (error instanceof pg.DatabaseError && error.code?.startsWith("42")) throw error;
        return null;
      }
    },
    close: () => pool.end(),
  };
}

// The driver hands numbers of eight bytes over as text.
function withNumbers({ fields, rows }: pg.QueryResult<Record<string, unknown>>): Record<string, unknown>[] {
  const names = fields.filter(({ dataTypeID }) => dataTypeID === int8).map(({ name }) => name);
  for (const row of rows) for (const name of names) if (row[name] !== null) row[name] = Number(row[name]);
  return rows;
}
