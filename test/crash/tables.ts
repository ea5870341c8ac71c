import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

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
export type AttemptRow = { task: string; n: number; provider: string; state: string; upstream_id: string | null };
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

export function readTables(dataDir: string): Tables {
  const db = new DatabaseSync(join(dataDir, "genway.db"), { readOnly: true });
  const all = <R>(query: string) => db.prepare(query).all() as R[];
  try {
    return {
      tasks: all("select id, account, kind, status, hold, cost, fail_code, finished_at from task"),
      attempts: all("select task, n, provider, state, upstream_id from attempt order by task, n"),
      assets: all("select task, kind, bytes, sha256, storage_key from asset"),
      deliveries: all("select id, task, state from delivery"),
      entries: all("select transfer, account, bucket, amount from entry"),
      transfers: all("select id, kind from transfer"),
      accounts: all("select id, available, held, spent from account"),
      gates: all("select lane, credential, used from gate"),
      steps: all("select id, phase, work, run_at from step where phase <> 'chore' or work = 'webhook'"),
      integrity: String(all<{ integrity_check: string }>("pragma integrity_check")[0]?.integrity_check),
    };
  } finally {
    db.close();
  }
}
