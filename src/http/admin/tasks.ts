import { Type } from "typebox";
import { Failure } from "../../core/errors.ts";
import { usdFromNanos } from "../../core/money.ts";
import { assetUrls } from "../asset-url.ts";
import { operation } from "../operation.ts";
import { taskRecord, TaskRecord } from "../task-record.ts";
import { CancelReply, filterOf, Id, TaskQuery } from "../tasks.ts";
import { listOf, ListReply, nullable, pageOf, PageQuery } from "../wire.ts";
import { admin, namedAccount, recordAct } from "./acts.ts";

const AdminTask = Type.Object({
  ...TaskRecord.properties,
  account: Type.String(),
  hold_usd: Type.Number(),
  attempts: Type.Optional(
    Type.Array(
      Type.Object({
        n: Type.Integer(),
        provider: Type.String(),
        model: Type.String(),
        state: Type.String(),
        upstream_id: nullable(Type.String()),
        cause: nullable(Type.String()),
      }),
    ),
  ),
});

const listTasks = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/tasks",
  summary: "List tasks of all accounts, newest first",
  query: Type.Object({ ...TaskQuery.properties, account: Type.Optional(Type.String()) }),
  reply: ListReply(AdminTask),
  async run({ query, base }, services) {
    const { shown, ...page } = pageOf(query);
    const account = query.account === undefined ? null : (await namedAccount(services, query.account)).id;
    const tasks = await services.store.listTasks({ ...page, ...filterOf(query), account });
    const url = assetUrls(services, base);
    return listOf(
      tasks.map((task) => ({ ...taskRecord(task, url), account: task.account, hold_usd: usdFromNanos(task.holdNanos) })),
      shown,
    );
  },
});

const getTask = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/tasks/:id",
  summary: "Get a task with its attempts",
  params: Id,
  reply: AdminTask,
  async run({ params, base }, services) {
    const task = await services.store.task({ id: params.id, account: null });
    if (task === null) throw new Failure("task_not_found");
    const attempts = await services.store.attempts({ taskId: task.id });
    return {
      ...taskRecord(task, assetUrls(services, base)),
      account: task.account,
      hold_usd: usdFromNanos(task.holdNanos),
      attempts: attempts.map(({ n, provider, model, state, upstreamId, cause }) => ({
        n,
        provider,
        model,
        state,
        upstream_id: upstreamId,
        cause,
      })),
    };
  },
});

const cancelTask = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/tasks/:id/cancel",
  summary: "Cancel a task of any account",
  params: Id,
  reply: CancelReply,
  async run({ params, base }, services) {
    const { task, charged } = await services.tasks.cancel(null, params.id);
    await recordAct(services, "task.cancel", params.id);
    return { ...taskRecord(task, assetUrls(services, base)), charged };
  },
});

const Attention = Type.Object({
  task: Type.String(),
  account: Type.String(),
  provider: Type.String(),
  cause: nullable(Type.String()),
  at: Type.Integer(),
});

const listAttention = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/attention",
  summary: "Attempts whose outcome is not known: they may have cost something upstream",
  query: Type.Object(PageQuery),
  reply: ListReply(Attention),
  async run({ query }, { store }) {
    const { shown, ...page } = pageOf(query);
    const rows = await store.attention(page);
    return listOf(
      rows.map(({ taskId, account, provider, cause, at }) => ({ task: taskId, account, provider, cause, at: Math.floor(at / 1000) })),
      shown,
    );
  },
});

const listAudit = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/audit",
  summary: "What operators did, newest first",
  query: Type.Object(PageQuery),
  reply: ListReply(
    Type.Object({
      id: Type.String(),
      actor: Type.String(),
      act: Type.String(),
      subject: Type.String(),
      detail: Type.Unknown(),
      at: Type.Integer(),
    }),
  ),
  async run({ query }, { store }) {
    const { shown, ...page } = pageOf(query);
    const acts = await store.listAudit(page);
    return listOf(
      acts.map(({ detail, at, ...rest }) => ({ ...rest, detail: JSON.parse(detail) as unknown, at: Math.floor(at / 1000) })),
      shown,
    );
  },
});

export const adminTaskOperations = [listTasks, getTask, cancelTask, listAttention, listAudit];
