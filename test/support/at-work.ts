import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

/** How much time may pass at once without ending the lease of whoever has just begun to work. */
export const strideMs = 8_000;

const leased = "select 1 from step where leased = 1 and phase <> 'chore'";
/** Who is about to take a lease has looked at the clock already. */
const underWay = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
  and backend_type = 'client backend' and state <> 'idle'`;

/** Whether a service is at work on some task, rather than waiting. */
export async function isAtWork({ dataDir, storeUrl }: { dataDir: string; storeUrl: string | null }): Promise<boolean> {
  if (storeUrl === null) {
    const db = new DatabaseSync(join(dataDir, "genway.db"), { readOnly: true });
    try {
      return db.prepare(leased).all().length > 0;
    } finally {
      db.close();
    }
  }
  const client = new pg.Client(storeUrl);
  await client.connect();
  const { rowCount } = await client.query(`${leased} union all ${underWay}`).finally(() => client.end());
  return (rowCount ?? 0) > 0;
}
