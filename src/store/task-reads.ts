import { sql } from "kysely";
import type { Page, TaskFilter, TaskHistory } from "../core/records.ts";
import { parentOf } from "../core/lineage.ts";
import { isFinal, type Task } from "../core/task.ts";
import type { Query } from "./query.ts";
import { attemptOf, deliveryOf, taskOf } from "./rows.ts";
import { mentions } from "./task-search.ts";

type Listing = Page & TaskFilter & { account: string | null; oldestFirst?: boolean };

/** Tasks, newest first unless told otherwise. */
export async function listTasks(db: Query, { account, oldestFirst = false, limit, after, ...filter }: Listing): Promise<Task[]> {
  const { status, kind, model, createdAfter, createdBefore, parent, text } = filter;
  let query = db
    .selectFrom("task")
    .selectAll()
    .orderBy("id", oldestFirst ? "asc" : "desc")
    .limit(limit);
  const isRare = status !== undefined && status !== "SUCCESS";
  // The few tasks of a rare state have an index of their own, which is not to be passed over for that of the account.
  if (account !== null) query = isRare ? query.where(sql<boolean>`account || '' = ${account}`) : query.where("account", "=", account);
  if (status !== undefined) query = query.where("status", "=", status);
  if (isRare && !isFinal(status)) query = query.where("finished_at", "is", null);
  if (status === "FAILURE") query = query.where(sql<boolean>`status = 'FAILURE'`);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (model !== undefined) query = query.where("model", "=", model);
  if (createdAfter !== undefined) query = query.where("created_at", ">=", createdAfter);
  if (createdBefore !== undefined) query = query.where("created_at", "<", createdBefore);
  if (parent !== undefined) query = query.where("parent", "=", parent);
  if (text !== undefined) query = query.where(mentions(db, text));
  if (after !== undefined) query = query.where("id", oldestFirst ? ">" : "<", after);
  return (await query.execute()).map(taskOf);
}

/** A task with all it comes from and all that came of it, as far as they are kept: oldest first. */
export async function lineage(db: Query, { id, account, limit }: { id: string; account: string | null; limit: number }): Promise<Task[]> {
  const found = new Map<string, Task>();
  const owned = () => {
    const query = db.selectFrom("task").selectAll();
    return account === null ? query : query.where("account", "=", account);
  };
  for (let next: string | undefined = id; next !== undefined && !found.has(next) && found.size < limit;) {
    const row = await owned().where("id", "=", next).executeTakeFirst();
    if (row === undefined) break;
    const task = taskOf(row);
    found.set(task.id, task);
    next = parentOf(task)?.taskId;
  }
  let level = [...found.keys()];
  while (level.length > 0 && found.size < limit) {
    const rows = await owned().where("parent", "in", level).orderBy("id").limit(limit).execute();
    const fresh = rows.filter((row) => !found.has(row.id)).slice(0, limit - found.size);
    for (const row of fresh) found.set(row.id, taskOf(row));
    level = fresh.map((row) => row.id);
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What became of a task, for operators: its attempts, its money, and who was told. */
export async function taskHistory(db: Query, { taskId }: { taskId: string }): Promise<TaskHistory> {
  const task = await db.selectFrom("task").select("api_key").where("id", "=", taskId).executeTakeFirst();
  const attempts = await db.selectFrom("attempt").selectAll().where("task", "=", taskId).orderBy("n").execute();
  const deliveries = await db.selectFrom("delivery").selectAll().where("task", "=", taskId).orderBy("id").limit(mostDeliveries).execute();
  const entries = await db
    .selectFrom("transfer")
    .innerJoin("entry", "entry.transfer", "transfer.id")
    .where("transfer.id", "in", [`${taskId}:hold`, `${taskId}:end`])
    .select(["transfer.id", "transfer.kind", "transfer.at", "entry.bucket", "entry.amount"])
    .orderBy("transfer.at")
    .orderBy("entry.line")
    .execute();
  return {
    key: task?.api_key ?? null,
    attempts: attempts.map((row) => ({ ...attemptOf(row), createdAt: row.created_at, endedAt: row.ended_at })),
    deliveries: deliveries.map(deliveryOf),
    money: entries.flatMap(({ id, at, bucket, amount }) => {
      const kind = id.endsWith(":hold") ? (bucket === "held" ? "hold" : null) : (endKinds[bucket] ?? null);
      return kind === null ? [] : [{ at, kind, nanos: amount }];
    }),
  };
}

const mostDeliveries = 100;
const endKinds: Record<string, "settle" | "release"> = { revenue: "settle", available: "release" };
