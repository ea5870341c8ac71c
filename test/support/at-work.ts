import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

/** Whether a service is at work on a task rather than waiting: on that one, or on any. */
export async function isAtWork(
  { dataDir, storeUrl }: { dataDir: string; storeUrl: string | null },
  id: string | null = null,
): Promise<boolean> {
  const query = `select 1 from step where leased = 1 and phase <> 'chore'${id === null ? "" : ` and id = '${id}'`}`;
  if (storeUrl === null) {
    const db = new DatabaseSync(join(dataDir, "genway.db"), { readOnly: true });
    try {
      return db.prepare(query).all().length > 0;
    } finally {
      db.close();
    }
  }
  const client = new pg.Client(storeUrl);
  await client.connect();
  const { rowCount } = await client.query(query).finally(() => client.end());
  return (rowCount ?? 0) > 0;
}
