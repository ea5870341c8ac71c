import { settleLines } from "../core/ledger.ts";
import type { EndedTask, FinishRequest } from "../core/records.ts";
import { isFinal, type Status } from "../core/task.ts";
import { post } from "./books.ts";
import { freeGates } from "./gates.ts";
import { changeKeys } from "./key-use.ts";
import { announceChanges } from "./outbox.ts";
import { byKey, locking, type Tx, type Verb } from "./query.ts";
import { rowOfAsset, taskOf } from "./rows.ts";
import type { Selectable } from "kysely";
import type { Database } from "./schema.ts";

type TaskRow = Selectable<Database["task"]>;
type Ending = { request: FinishRequest; row: TaskRow; ended: TaskRow };

/** Ends tasks: state, money, slot, assets and announcements in one commit; null where a task had ended already or the fence is stale. */
export const finish: Verb<FinishRequest, EndedTask | null> = async (tx, requests) => {
  const ids = [...new Set(requests.map(({ taskId }) => taskId))].sort();
  // The step first, as whoever works on a task has it: nobody may send a job, or give it up, between this look and this end.
  const owned = tx.db.selectFrom("step").select(["id", "fence", "attempt"]).where("id", "in", ids).orderBy("id");
  const steps = byKey(await locking(tx, owned).execute(), ({ id }) => id);
  const rows = byKey(
    await locking(tx, tx.db.selectFrom("task").selectAll().where("id", "in", ids).orderBy("id")).execute(),
    ({ id }) => id,
  );
  const sent = await sentTasks(tx, requests);
  const endings = new Map<FinishRequest, Ending>();
  for (const request of requests) {
    const row = rows.get(request.taskId);
    if (row === undefined || isFinal(row.status as Status)) continue;
    if (request.onlyUnsent === true && sent.has(request.taskId)) continue;
    if (request.onlySent !== undefined && sent.get(request.taskId) !== request.onlySent) continue;
    if (request.fence !== null && steps.get(request.taskId)?.fence !== request.fence) continue;
    const ended = endedRow(row, request);
    rows.set(request.taskId, ended);
    endings.set(request, { request, row, ended });
  }
  const providers = await write(tx, [...endings.values()]);
  const shown = (row: TaskRow) => ({ ...taskOf(row), key: row.api_key, provider: providers.get(row.id) ?? "" });
  return requests.map((request) => {
    const ending = endings.get(request);
    if (ending !== undefined) return shown(ending.ended);
    const row = rows.get(request.taskId);
    return tx.again && row?.finished_at === request.now && row.status === request.status ? shown(row) : null;
  });
};

/** Which attempt of each task has been sent, or is about to be; looked up only for those that care. */
async function sentTasks({ db }: Tx, requests: readonly FinishRequest[]): Promise<Map<string, number>> {
  const careful = requests.filter(({ onlyUnsent, onlySent }) => onlyUnsent === true || onlySent !== undefined).map(({ taskId }) => taskId);
  if (careful.length === 0) return new Map();
  const rows = await db
    .selectFrom("attempt")
    .select(["task", "n"])
    .where("task", "in", careful)
    .where("state", "in", ["INTENT", "ACCEPTED"])
    .execute();
  return new Map(rows.map(({ task, n }) => [task, n]));
}

function endedRow(row: TaskRow, request: FinishRequest): TaskRow {
  return {
    ...row,
    status: request.status,
    progress: request.status === "SUCCESS" ? 100 : row.progress,
    cost: request.costNanos,
    fail_code: request.failCode,
    fail_reason: request.failReason,
    result: request.result === null ? null : JSON.stringify(request.result),
    assets: JSON.stringify(request.assets.map(({ id, kind, mime, bytes, expiresAt }) => ({ id, kind, mime, bytes, expiresAt }))),
    started_at: row.started_at ?? (request.status === "SUCCESS" ? request.now : null),
    finished_at: request.now,
    version: row.version + 1,
  };
}

/** Answers who had each task last. */
async function write(tx: Tx, endings: readonly Ending[]): Promise<Map<string, string>> {
  if (endings.length === 0) return new Map();
  const { db } = tx;
  const ids = endings.map(({ row }) => row.id);
  for (const { ended } of endings) {
    const { status, progress, cost, fail_code, fail_reason, result, assets, started_at, finished_at, version } = ended;
    await db
      .updateTable("task")
      .set({ status, progress, cost, fail_code, fail_reason, result, assets, started_at, finished_at, version })
      .where("id", "=", ended.id)
      .execute();
  }
  await post(
    tx,
    endings.map(({ request, row }) => ({
      id: `${row.id}:end`,
      kind: request.costNanos > 0 ? "settle" : "release",
      account: row.account,
      note: request.failCode ?? "",
      at: request.now,
      lines: settleLines(row.account, row.hold, request.costNanos),
      spentNanos: Math.min(row.hold, request.costNanos),
    })),
  );
  await changeKeys(
    tx,
    endings.map(({ request, row }) => ({ key: row.api_key, spentNanos: request.costNanos - row.hold, running: -1 })),
  );
  const providers = await endAttempts(tx, endings);
  await db.deleteFrom("step").where("id", "in", ids).execute();
  const assets = endings.flatMap(({ request, row }) =>
    request.assets.map(({ storageKey, sha256, ...asset }) =>
      rowOfAsset({ ...asset, account: row.account, task: row.id, storageKey, sha256, name: null, purpose: null, createdAt: request.now }),
    ),
  );
  if (assets.length > 0) await db.insertInto("asset").values(assets).execute();
  for (const event of ["task.succeeded", "task.failed"] as const) {
    const status = event === "task.succeeded" ? "SUCCESS" : "FAILURE";
    const ended = endings.filter(({ request }) => request.status === status);
    if (ended.length > 0)
      await announceChanges(
        tx,
        ended.map((ending) => ending.ended),
        event,
        ended[0]?.request.now ?? 0,
      );
  }
  return providers;
}

/** Closes the attempts under way and frees their slots; answers whose they were. */
async function endAttempts(tx: Tx, endings: readonly Ending[]): Promise<Map<string, string>> {
  const { db } = tx;
  const open = await db
    .selectFrom("attempt")
    .select(["task", "n", "lane", "provider", "credential"])
    .where(
      "task",
      "in",
      endings.map(({ row }) => row.id),
    )
    .where("ended_at", "is", null)
    .execute();
  const requests = byKey(endings, ({ row }) => row.id);
  for (const { task, n } of open) {
    const request = requests.get(task)?.request;
    if (request === undefined) continue;
    await db
      .updateTable("attempt")
      .set({ state: request.attemptState, ended_at: request.now, cause: request.cause, failure: request.failure })
      .where("task", "=", task)
      .where("n", "=", n)
      .execute();
  }
  await freeGates(tx, open);
  return new Map(open.map(({ task, provider }) => [task, provider]));
}
