import { Type } from "typebox";
import { Failure } from "../core/errors.ts";
import { taskKinds } from "../core/kinds.ts";
import type { TaskFilter } from "../core/records.ts";
import { statuses } from "../core/task.ts";
import { assetUrls } from "./asset-url.ts";
import { dropTask } from "./drop-task.ts";
import { operation } from "./operation.ts";
import { retryTask } from "./retry.ts";
import { streamTask } from "./sse.ts";
import { taskRecord, TaskRecord, wholeTask, WholeTask } from "./task-record.ts";
import { isSaid, listOf, ListReply, pageOf, PageQuery } from "./wire.ts";

export const group = { tag: "tasks", errors: "envelope", auth: "client", scope: "tasks" } as const;
export const Id = Type.Object({ id: Type.String() });

export const TaskQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(
    Type.Union(
      statuses.map((status) => Type.Literal(status)),
      { description: statuses.join(", ") },
    ),
  ),
  kind: Type.Optional(
    Type.Union(
      taskKinds.map((kind) => Type.Literal(kind)),
      { description: taskKinds.join(", ") },
    ),
  ),
  model: Type.Optional(Type.String({ maxLength: 200 })),
  created_after: Type.Optional(Type.String({ pattern: "^[0-9]{1,12}$", description: "unix seconds" })),
  created_before: Type.Optional(Type.String({ pattern: "^[0-9]{1,12}$", description: "unix seconds" })),
  q: Type.Optional(Type.String({ maxLength: 200, description: "words of the prompt, lyrics, title or tags, in whatever case" })),
  parent: Type.Optional(Type.String({ maxLength: 100, description: "the task that they go on from" })),
});

type Query = Pick<TaskFilter, "status" | "kind" | "model" | "parent"> & { created_after?: string; created_before?: string; q?: string };

/** The filters of a task list, as the store takes them. */
export function filterOf({ status, kind, model, created_after, created_before, q, parent }: Query): TaskFilter {
  return {
    ...(isSaid(q) && { text: q.trim() }),
    ...(parent && { parent }),
    ...(status && { status }),
    ...(kind && { kind }),
    ...(model && { model }),
    ...(created_after && { createdAfter: Number(created_after) * 1000 }),
    ...(created_before && { createdBefore: Number(created_before) * 1000 }),
  };
}

const listTasks = operation({
  ...group,
  method: "GET",
  url: "/v1/tasks",
  summary: "List tasks, newest first",
  query: TaskQuery,
  reply: ListReply(TaskRecord),
  async run({ query, caller, base }, services) {
    const { shown, ...page } = pageOf(query);
    const tasks = await services.store.listTasks({ ...page, ...filterOf(query), account: caller.account.id });
    const url = assetUrls(services, base);
    return listOf(
      tasks.map((task) => taskRecord(task, url)),
      shown,
    );
  },
});

const getTask = operation({
  ...group,
  method: "GET",
  url: "/v1/tasks/:id",
  summary: "Get a task of any group",
  params: Id,
  reply: WholeTask,
  async run({ params, caller, base }, services) {
    return wholeTask(await services.tasks.get(caller, params.id), assetUrls(services, base));
  },
});

const mostRelatives = 100;

const getLineage = operation({
  ...group,
  method: "GET",
  url: "/v1/tasks/:id/lineage",
  summary: "The tasks that one comes from and those that came of it, oldest first",
  params: Id,
  reply: ListReply(TaskRecord),
  async run({ params, caller, base }, services) {
    const tasks = await services.store.lineage({ id: params.id, account: caller.account.id, limit: mostRelatives + 1 });
    if (tasks.length === 0) throw new Failure("task_not_found");
    const url = assetUrls(services, base);
    return listOf(
      tasks.map((task) => taskRecord(task, url)),
      mostRelatives,
    );
  },
});

const retry = operation({
  ...group,
  method: "POST",
  url: "/v1/tasks/:id/retry",
  summary: "Make a finished task again, as a new one",
  params: Id,
  reply: TaskRecord,
  async run(ask, services) {
    return retryTask(ask, services, ask.caller, await services.tasks.get(ask.caller, ask.params.id));
  },
});

export const CancelReply = Type.Object({
  ...TaskRecord.properties,
  charged: Type.Boolean({ description: "whether the full price was charged" }),
});

const cancelTask = operation({
  ...group,
  method: "POST",
  url: "/v1/tasks/:id/cancel",
  summary: "Cancel a task",
  params: Id,
  reply: CancelReply,
  async run({ params, caller, base }, services) {
    const { task, charged } = await services.tasks.cancel(caller, params.id);
    return { ...taskRecord(task, assetUrls(services, base)), charged };
  },
});

const deleteTask = operation({
  ...group,
  method: "DELETE",
  url: "/v1/tasks/:id",
  summary: "Delete a finished task with its assets",
  params: Id,
  reply: Type.Object({ id: Type.String(), object: Type.Literal("task.deleted"), deleted: Type.Boolean() }),
  async run({ params, caller }, services) {
    await dropTask(services, caller, params.id);
    return { id: params.id, object: "task.deleted", deleted: true };
  },
});

const watchTask = operation({
  ...group,
  method: "GET",
  url: "/v1/tasks/:id/events",
  summary: "Follow a task (server-sent events)",
  params: Id,
  async run({ params, caller, base, request, reply }, services) {
    const task = await services.tasks.get(caller, params.id);
    return streamTask({ task, request, reply, services, base });
  },
});

export const taskOperations = [listTasks, getTask, getLineage, retry, cancelTask, deleteTask, watchTask];
