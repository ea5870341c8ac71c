import { Type } from "typebox";
import { taskContent, taskLine, textContent, waitContent } from "./task-content.ts";
import { tool, type Tool } from "./tool.ts";

const taskId = Type.String({ minLength: 1, maxLength: 100, description: "the id of a task" });

const waitForTask = tool({
  name: "wait_for_task",
  title: "Wait for a task",
  says: "Waits for a task to end and shows its result. If it has not ended in time it goes on: call this again.",
  input: Type.Object({
    task_id: taskId,
    timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600, description: "how long to wait; 50 unless given" })),
  }),
  isReadOnly: true,
  run: ({ task_id: id, timeout_seconds: seconds = 50 }, bench) => waitContent(id, seconds, bench),
});

const getTask = tool({
  name: "get_task",
  title: "Show a task",
  says: "Shows a task as it is now, with new addresses for its files.",
  input: Type.Object({ task_id: taskId }),
  isReadOnly: true,
  run: async ({ task_id: id }, { client }) => taskContent(client, await client.task(id).get()),
});

const listTasks = tool({
  name: "list_tasks",
  title: "List tasks",
  says: "Lists the tasks of this account, newest first.",
  input: Type.Object({
    status: Type.Optional(Type.Enum(["SUBMITTED", "QUEUED", "IN_PROGRESS", "SUCCESS", "FAILURE"])),
    kind: Type.Optional(Type.Enum(["video", "music", "lyrics", "image", "chat", "speech", "transcription"])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "20 unless given" })),
  }),
  isReadOnly: true,
  async run({ status, kind, limit = 20 }, { client }) {
    const query = { limit: String(limit), ...(status && { status }), ...(kind && { kind }) };
    const { data, has_more: hasMore } = await client.unwrap(client.GET("/v1/tasks", { params: { query } }));
    const lines = data.map(taskLine);
    return textContent(lines.length === 0 ? "There are no such tasks." : [...lines, ...(hasMore ? ["There are more."] : [])].join("\n"));
  },
});

const cancelTask = tool({
  name: "cancel_task",
  title: "Cancel a task",
  says: "Cancels a task. A provider that cannot stop may still charge for it; the answer says so.",
  input: Type.Object({ task_id: taskId }),
  isReadOnly: false,
  async run({ task_id: id }, { client }) {
    const { charged, cost_usd: cost } = await client.task(id).cancel();
    return textContent(`Task ${id} is cancelled. ${charged ? `It cost ${cost} USD all the same.` : "It costs nothing."}`);
  },
});

export const taskTools: readonly Tool[] = [waitForTask, getTask, listTasks, cancelTask];
