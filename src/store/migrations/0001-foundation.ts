import { sql, type CreateTableBuilder, type Kysely } from "kysely";
import type { Dialect } from "../query.ts";

type Columns = Record<string, "text" | "text?" | "bigint" | "bigint?">;

const tables: Record<string, { columns: Columns; key: string[] }> = {
  account: {
    columns: {
      id: "text",
      name: "text",
      available: "bigint",
      held: "bigint",
      spent: "bigint",
      frozen: "bigint",
      starter: "bigint",
      hook_secret: "text?",
      created_at: "bigint",
    },
    key: ["id"],
  },
  api_key: {
    columns: {
      id: "text",
      account: "text",
      name: "text",
      hash: "text",
      last_four: "text",
      scopes: "text?",
      models: "text?",
      ips: "text?",
      expires_at: "bigint?",
      revoked_at: "bigint?",
      created_at: "bigint",
    },
    key: ["id"],
  },
  task: {
    columns: {
      id: "text",
      account: "text",
      api_key: "text?",
      kind: "text",
      dialect: "text",
      model: "text",
      status: "text",
      progress: "bigint",
      input: "text",
      price: "text",
      hold: "bigint",
      cost: "bigint?",
      fail_code: "text?",
      fail_reason: "text?",
      result: "text?",
      assets: "text",
      song_ids: "text",
      hook: "text?",
      created_at: "bigint",
      started_at: "bigint?",
      finished_at: "bigint?",
      deadline_at: "bigint",
      version: "bigint",
    },
    key: ["id"],
  },
  song: { columns: { id: "text", task: "text", account: "text" }, key: ["id"] },
  attempt: {
    columns: {
      task: "text",
      n: "bigint",
      lane: "text",
      provider: "text",
      credential: "text",
      model: "text",
      state: "text",
      upstream_id: "text?",
      keep: "text",
      created_at: "bigint",
      accepted_at: "bigint?",
      ended_at: "bigint?",
      cause: "text?",
    },
    key: ["task", "n"],
  },
  step: {
    columns: {
      id: "text",
      phase: "text",
      lane: "text",
      account: "text",
      work: "text",
      credential: "text",
      rank: "bigint",
      run_at: "bigint",
      leased: "bigint",
      fence: "bigint",
      attempt: "bigint",
      since: "bigint",
      deadline_at: "bigint",
    },
    key: ["id"],
  },
  share: { columns: { lane: "text", account: "text", rank: "bigint" }, key: ["lane", "account"] },
  gate: { columns: { lane: "text", credential: "text", used: "bigint" }, key: ["lane", "credential"] },
  transfer: { columns: { id: "text", kind: "text", account: "text", note: "text", at: "bigint" }, key: ["id"] },
  entry: { columns: { transfer: "text", line: "bigint", account: "text", bucket: "text", amount: "bigint" }, key: ["transfer", "line"] },
  idempotency: {
    columns: { account: "text", route: "text", key: "text", fingerprint: "text", task: "text", created_at: "bigint" },
    key: ["account", "route", "key"],
  },
  asset: {
    columns: {
      id: "text",
      account: "text",
      task: "text?",
      kind: "text",
      mime: "text",
      bytes: "bigint",
      sha256: "text",
      storage_key: "text",
      name: "text?",
      purpose: "text?",
      created_at: "bigint",
      expires_at: "bigint",
    },
    key: ["id"],
  },
  endpoint: {
    columns: { id: "text", account: "text", url: "text", secret: "text", events: "text", disabled_at: "bigint?", created_at: "bigint" },
    key: ["id"],
  },
  delivery: {
    columns: {
      id: "text",
      account: "text",
      endpoint: "text?",
      task: "text?",
      url: "text",
      event: "text",
      style: "text",
      body: "text?",
      state: "text",
      attempts: "bigint",
      last_status: "bigint?",
      last_error: "text?",
      created_at: "bigint",
      delivered_at: "bigint?",
    },
    key: ["id"],
  },
  audit: { columns: { id: "text", actor: "text", act: "text", subject: "text", detail: "text", at: "bigint" }, key: ["id"] },
};

const indexes = [
  "create unique index account_by_name on account(name)",
  "create index key_by_account on api_key(account, id)",
  "create index task_by_account on task(account, id)",
  "create index task_by_end on task(finished_at) where finished_at is not null",
  "create index attempt_unknown on attempt(task) where state = 'UNKNOWN'",
  "create index step_waiting on step(lane, rank) where phase = 'start'",
  "create index step_due on step(run_at) where phase <> 'start'",
  "create index step_overdue on step(deadline_at) where phase = 'start'",
  "create index credit_by_id on transfer(id) where kind = 'credit'",
  "create index idempotency_by_age on idempotency(created_at)",
  "create index asset_by_task on asset(task) where task is not null",
  "create index asset_by_account on asset(account, id) where task is null",
  "create index asset_by_key on asset(storage_key)",
  "create index asset_by_expiry on asset(expires_at)",
  "create index endpoint_by_account on endpoint(account)",
  "create index delivery_by_account on delivery(account, id)",
  "create index delivery_by_task on delivery(task) where task is not null",
];

const appendOnly: Record<Dialect, string[]> = {
  sqlite: ["update", "delete"].map(
    (act) => `create trigger entry_no_${act} before ${act} on entry begin select raise(abort, 'ledger entries are never changed'); end`,
  ),
  postgres: [
    `create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'ledger entries are never changed'; end $$`,
    `create trigger entry_no_change before update or delete on entry for each row execute function refuse_change()`,
  ],
};

/** Accounts, keys, tasks, steps, ledger, assets and webhooks. */
export async function foundation(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const [name, { columns, key }] of Object.entries(tables)) {
    let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
    for (const [column, type] of Object.entries(columns)) {
      const nullable = type.endsWith("?");
      table = table.addColumn(column, type.startsWith("text") ? "text" : "bigint", (built) => (nullable ? built : built.notNull()));
    }
    table = table.addPrimaryKeyConstraint(`${name}_key`, key);
    if (name === "account") table = table.addCheckConstraint("never_negative", sql`available >= 0 and held >= 0`);
    if (dialect === "sqlite") table = table.modifyEnd(sql`without rowid`);
    await table.execute();
  }
  for (const statement of [...indexes, ...appendOnly[dialect]]) await sql.raw(statement).execute(db);
}
