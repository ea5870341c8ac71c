import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

export type TaskRow = {
  id: string;
  account: string;
  kind: string;
  status: string;
  hold: number;
  cost: number | null;
  fail_code: string | null;
  finished_at: number | null;
};
export type AttemptRow = { task: string; n: number; provider: string; state: string; upstream_id: string | null; cause: string | null };
export type AssetRow = { task: string | null; kind: string; bytes: number; sha256: string; storage_key: string };
export type DeliveryRow = { id: string; task: string; state: string };
export type EntryRow = { transfer: string; account: string; bucket: string; amount: number };
export type AccountRow = { id: string; available: number; held: number; spent: number };

/** What the database holds after the service has stopped. */
export type Tables = {
  tasks: TaskRow[];
  attempts: AttemptRow[];
  assets: AssetRow[];
  deliveries: DeliveryRow[];
  entries: EntryRow[];
  transfers: { id: string; kind: string }[];
  accounts: AccountRow[];
  gates: { lane: string; credential: string; used: number }[];
  /** Steps that are not the service's own upkeep. */
  steps: { id: string; phase: string; work: string; run_at: number }[];
  integrity: string;
};

/** Where the service keeps its tables. */
export type Source = { folder: string } | { url: string };

type Ask = <R>(query: string) => Promise<R[]>;

/** Reads everything that the promises are held against. */
export async function readTables(source: Source): Promise<Tables> {
  const { ask, close } = "folder" in source ? openSqlite(source.folder) : await openPostgres(source.url);
  try {
    return {
      tasks: await ask("select id, account, kind, status, hold, cost, fail_code, finished_at from task"),
      attempts: await ask("select task, n, provider, state, upstream_id, cause from attempt order by task, n"),
      assets: await ask("select task, kind, bytes, sha256, storage_key from asset"),
      deliveries: await ask("select id, task, state from delivery"),
      entries: await ask("select transfer, account, bucket, amount from entry"),
      transfers: await ask("select id, kind from transfer"),
      accounts: await ask("select id, available, held, spent from account"),
      gates: await ask("select lane, credential, used from gate"),
      steps: await ask("select id, phase, work, run_at from step where phase <> 'chore' or work = 'webhook'"),
      integrity: "folder" in source ? String((await ask<{ integrity_check: string }>("pragma integrity_check"))[0]?.integrity_check) : "ok",
    };
  } finally {
    await close();
  }
}

function openSqlite(folder: string): { ask: Ask; close: () => Promise<void> } {
  const db = new DatabaseSync(join(folder, "genway.db"), { readOnly: true });
  return { ask: async <R>(query: string) => db.prepare(query).all() as R[], close: async () => db.close() };
}

async function openPostgres(url: string): Promise<{ ask: Ask; close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { ask: async <R>(query: string) => (await client.query(query)).rows.map(withNumbers) as R[], close: () => client.end() };
}

const wholeNumbers = new Set(["hold", "cost", "finished_at", "n", "bytes", "amount", "available", "held", "spent", "used", "run_at"]);

// The driver hands numbers of eight bytes over as text.
function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value !== null && wholeNumbers.has(name) ? Number(value) : value]),
  );
}
