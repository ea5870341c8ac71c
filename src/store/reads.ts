import { sql } from "kysely";
import type { StoreReads } from "../core/ports.ts";
import type { AttentionRow, Page } from "../core/records.ts";
import { dueAlerts, listAlerts } from "./alerts.ts";
import { auditBooks } from "./audit-books.ts";
import { ledger, unposted } from "./ledger-rows.ts";
import { dialectOf, type Query } from "./query.ts";
import { queueDepth, queues, waiting } from "./queue-reads.ts";
import { keptReply } from "./replies.ts";
import { accountOf, assetOf, attemptOf, deliveryOf, endpointOf, keyOf, taskOf } from "./rows.ts";
import { lineage, listTasks, taskHistory } from "./task-reads.ts";
import { usageSeries } from "./usage-series.ts";

type Question<R extends keyof StoreReads> = Parameters<StoreReads[R]>[0];
type Answer<R extends keyof StoreReads> = ReturnType<StoreReads[R]>;
type Reads = { [R in keyof StoreReads]: (db: Query, question: Question<R>) => Answer<R> };

/** Questions answered by key, quick enough for the thread that asks. */
const pointReads = {
  async task(db, { id, account }) {
    let query = db.selectFrom("task").selectAll().where("id", "=", id);
    if (account !== null) query = query.where("account", "=", account);
    const row = await query.executeTakeFirst();
    return row === undefined ? null : taskOf(row);
  },
  async tasksByIds(db, { ids, account }) {
    if (ids.length === 0) return [];
    const songs = await db.selectFrom("song").select("task").where("id", "in", ids).where("account", "=", account).execute();
    const wanted = [...new Set([...ids, ...songs.map(({ task }) => task)])];
    return (await db.selectFrom("task").selectAll().where("id", "in", wanted).where("account", "=", account).orderBy("id").execute()).map(
      taskOf,
    );
  },
  async attempts(db, { taskId }) {
    return (await db.selectFrom("attempt").selectAll().where("task", "=", taskId).orderBy("n").execute()).map(attemptOf);
  },
  async account(db, { idOrName }) {
    const row = await db
      .selectFrom("account")
      .selectAll()
      .where((eb) => eb.or([eb("id", "=", idOrName), eb("name", "=", idOrName)]))
      .executeTakeFirst();
    return row === undefined ? null : accountOf(row);
  },
  async keyById(db, { id }) {
    const row = await db.selectFrom("api_key").selectAll().where("id", "=", id).executeTakeFirst();
    if (row === undefined) return null;
    const account = await db.selectFrom("account").selectAll().where("id", "=", row.account).executeTakeFirstOrThrow();
    return { key: keyOf(row), hash: row.hash, account: accountOf(account) };
  },
  async asset(db, { id, account }) {
    let query = db.selectFrom("asset").selectAll().where("id", "=", id);
    if (account !== null) query = query.where("account", "=", account);
    const row = await query.executeTakeFirst();
    return row === undefined ? null : assetOf(row);
  },
  async modal(db, { id, account }) {
    const row = await db.selectFrom("modal").selectAll().where("id", "=", id).where("account", "=", account).executeTakeFirst();
    return row === undefined ? null : { body: row.body, createdAt: row.created_at };
  },
  keptReply,
  async endpoint(db, { account, id }) {
    const row = await db.selectFrom("endpoint").selectAll().where("account", "=", account).where("id", "=", id).executeTakeFirst();
    return row === undefined ? null : endpointOf(row);
  },
  async hookSecret(db, { account }) {
    return (await db.selectFrom("account").select("hook_secret").where("id", "=", account).executeTakeFirst())?.hook_secret ?? null;
  },
  async delivery(db, { id }) {
    const row = await db.selectFrom("delivery").selectAll().where("id", "=", id).executeTakeFirst();
    return row === undefined ? null : deliveryOf(row);
  },
} satisfies Partial<Reads>;

/** Lists and sums, kept off the thread that serves requests. */
const wideReads = {
  listTasks,
  lineage,
  taskHistory,
  async listAccounts(db, { limit, after }) {
    let query = db.selectFrom("account").selectAll().orderBy("id").limit(limit);
    if (after !== undefined) query = query.where("id", ">", after);
    return (await query.execute()).map(accountOf);
  },
  async listKeys(db, { account, limit, after }) {
    let query = db.selectFrom("api_key").selectAll().orderBy("id").limit(limit);
    if (account !== undefined) query = query.where("account", "=", account);
    if (after !== undefined) query = query.where("id", ">", after);
    return (await query.execute()).map(keyOf);
  },
  async listCredits(db, { account, limit, after }) {
    let query = db
      .selectFrom("transfer")
      .innerJoin("entry", "entry.transfer", "transfer.id")
      .where("transfer.kind", "=", "credit")
      .where("entry.bucket", "=", "available")
      .select(["transfer.id", "transfer.account", "entry.amount", "transfer.note", "transfer.at"])
      .orderBy("transfer.id", "desc")
      .limit(limit);
    if (account !== undefined) query = query.where("transfer.account", "=", account);
    if (after !== undefined) query = query.where("transfer.id", "<", after);
    return (await query.execute()).map(({ amount, at, ...rest }) => ({ ...rest, nanos: amount, createdAt: at }));
  },
  async listFiles(db, { account, limit, after }) {
    let query = db
      .selectFrom("asset")
      .selectAll()
      .where("account", "=", account)
      .where("task", "is", null)
      // Pictures that a call made are results, not uploads.
      .where("purpose", "<>", "result")
      .orderBy("id", "desc")
      .limit(limit);
    if (after !== undefined) query = query.where("id", "<", after);
    return (await query.execute()).map(assetOf);
  },
  async listEndpoints(db, { account }) {
    return (await db.selectFrom("endpoint").selectAll().where("account", "=", account).orderBy("id").execute()).map(endpointOf);
  },
  async listAllEndpoints(db, { account, limit, after }) {
    let query = db.selectFrom("endpoint").selectAll().orderBy("id").limit(limit);
    if (account !== null) query = query.where("account", "=", account);
    if (after !== undefined) query = query.where("id", ">", after);
    return (await query.execute()).map(endpointOf);
  },
  async usage(db, { account, createdAfter, createdBefore }) {
    let query = db
      .selectFrom("task")
      .select(["account", "kind", "model"])
      .select((eb) => [
        eb.fn.countAll<number | string>().as("tasks"),
        eb.fn.sum<number | string>(eb.case().when("status", "=", "SUCCESS").then(1).else(0).end()).as("succeeded"),
        eb.fn.sum<number | string>(eb.case().when("status", "=", "FAILURE").then(1).else(0).end()).as("failed"),
        eb.fn.sum<number | string | null>("cost").as("cost"),
      ])
      .where("created_at", ">=", createdAfter)
      .where("created_at", "<", createdBefore)
      .groupBy(["account", "kind", "model"])
      .orderBy("account")
      .orderBy("kind")
      .orderBy("model");
    if (account !== null) query = query.where("account", "=", account);
    return (await query.execute()).map(({ tasks, succeeded, failed, cost, ...row }) => ({
      ...row,
      tasks: Number(tasks),
      succeeded: Number(succeeded),
      failed: Number(failed),
      costNanos: Number(cost ?? 0),
    }));
  },
  async callUsage(db, { account, createdAfter, createdBefore }) {
    const sums = ["calls", "estimated", "input_tokens", "output_tokens", "cost", "ms"] as const;
    let query = db
      .selectFrom("usage")
      .select(["account", "api_key", "operation", "model", "provider"])
      .select((eb) => sums.map((name) => eb.fn.sum<number | string>(name).as(name)))
      .where("minute", ">=", createdAfter)
      .where("minute", "<", createdBefore)
      .groupBy(["account", "api_key", "operation", "model", "provider"])
      .orderBy("account")
      .orderBy("model")
      .limit(10_000);
    if (account !== null) query = query.where("account", "=", account);
    return (await query.execute()).map((row) => ({
      account: row.account,
      key: row.api_key === "" ? null : row.api_key,
      operation: row.operation,
      model: row.model,
      provider: row.provider,
      calls: Number(row.calls),
      estimated: Number(row.estimated),
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      costNanos: Number(row.cost),
      ms: Number(row.ms),
    }));
  },
  async listDeliveries(db, { account, endpoint, state, limit, after }) {
    let query = db.selectFrom("delivery").selectAll().orderBy("id", "desc").limit(limit);
    if (account !== null) query = query.where("account", "=", account);
    if (endpoint !== undefined) query = endpoint === null ? query.where("endpoint", "is", null) : query.where("endpoint", "=", endpoint);
    if (state !== undefined) query = query.where("state", "=", state);
    if (after !== undefined) query = query.where("id", "<", after);
    return (await query.execute()).map(deliveryOf);
  },
  async listAudit(db, { limit, after }) {
    let query = db.selectFrom("audit").selectAll().orderBy("id", "desc").limit(limit);
    if (after !== undefined) query = query.where("id", "<", after);
    return query.execute();
  },
  async attention(db, { limit, after }: Page): Promise<AttentionRow[]> {
    let query = db
      .selectFrom("attempt")
      .innerJoin("task", "task.id", "attempt.task")
      .where("attempt.state", "=", "UNKNOWN")
      .select(["attempt.task as taskId", "task.account", "attempt.provider", "attempt.cause", "attempt.created_at as at"])
      .orderBy("attempt.task", "desc")
      .limit(limit);
    if (after !== undefined) query = query.where("attempt.task", "<", after);
    return query.execute();
  },
  queueDepth,
  queues,
  waiting,
  async gates(db) {
    return db.selectFrom("gate").selectAll().execute();
  },
  async leases(db) {
    const rows = await db
      .selectFrom("lease")
      .select((eb) => ["node", eb.fn.countAll<number>().as("leases"), eb.fn.sum<number | string>("amount").as("nanos")])
      .groupBy("node")
      .execute();
    return rows.map(({ nanos, ...row }) => ({ ...row, nanos: Number(nanos) }));
  },
  auditBooks,
  async size(db) {
    const size =
      dialectOf(db) === "postgres"
        ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
        : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
    return (await size.execute(db)).rows[0]?.bytes ?? 0;
  },
  usageSeries,
  ledger,
  unposted,
  dueAlerts,
  listAlerts,
  async unknownKeys(db, { storageKeys }) {
    if (storageKeys.length === 0) return [];
    const rows = await db.selectFrom("asset").select("storage_key").where("storage_key", "in", storageKeys).execute();
    const known = new Set(rows.map(({ storage_key }) => storage_key));
    return storageKeys.filter((key) => !known.has(key));
  },
} satisfies Partial<Reads>;

/** Every read the store knows. */
export const reads: Reads = { ...pointReads, ...wideReads };

export type ReadName = keyof StoreReads;
export const pointReadNames = Object.keys(pointReads) as ReadName[];
export const wideReadNames = Object.keys(wideReads) as ReadName[];
