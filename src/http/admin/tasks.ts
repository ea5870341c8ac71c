import { Type } from "typebox";
import { Failure } from "../../core/errors.ts";
import { usdFromNanos } from "../../core/money.ts";
import type { Task } from "../../core/task.ts";
import { assetUrls } from "../asset-url.ts";
import { operation } from "../operation.ts";
import { retryTask } from "../retry.ts";
import type { Services } from "../services.ts";
import { taskRecord, TaskRecord } from "../task-record.ts";
import { CancelReply, filterOf, Id, TaskQuery } from "../tasks.ts";
import { listOf, ListReply, pageOf, PageQuery } from "../wire.ts";
import { admin, namedAccount, recordAct } from "./acts.ts";
import { taskStory, TaskStory } from "./task-story.ts";

const AdminTask = Type.Object({ ...TaskRecord.properties, account: Type.String(), hold_usd: Type.Number() });

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
  summary: "Get a task with its attempts, its money and who was told",
  params: Id,
  reply: TaskStory,
  async run({ params, base }, services) {
    return taskStory(await anyTask(services, params.id), services, assetUrls(services, base));
  },
});

async function anyTask({ store }: Services, id: string): Promise<Task> {
  const task = await store.task({ id, account: null });
  if (task === null) throw new Failure("task_not_found");
  return task;
}

const retry = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/tasks/:id/retry",
  summary: "Make a finished task again, as a new one that the same account pays for",
  params: Id,
  reply: TaskRecord,
  async run(ask, services) {
    const task = await anyTask(services, ask.params.id);
    const account = await namedAccount(services, task.account);
    const made = await retryTask(ask, services, { account, key: null }, task);
    await recordAct(services, ask, "task.retry", task.id, { task: made.id });
    return made;
  },
});

const cancelTask = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/tasks/:id/cancel",
  summary: "Cancel a task of any account",
  params: Id,
  reply: CancelReply,
  async run(ask, services) {
    const { params, base } = ask;
    const { task, charged } = await services.tasks.cancel(null, params.id);
    await recordAct(services, ask, "task.cancel", params.id);
    return { ...taskRecord(task, assetUrls(services, base)), charged };
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

export const adminTaskOperations = [listTasks, getTask, retry, cancelTask, listAudit];
