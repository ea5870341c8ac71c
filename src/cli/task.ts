import type { Static } from "typebox";
import { createClient, type Client } from "./client.ts";
import { command, gatewayOptions, jsonOption } from "./command.ts";
import { CommandError } from "./complaint.ts";
import { findGateway } from "./connection.ts";
import { accountNames, limitOption, noteMore, readLimit } from "./listing.ts";
import { CancelledTask, TaskRecord } from "./records.ts";
import type { Shell } from "./shell.ts";
import { alignColumns, printTable } from "./table.ts";
import { formatBytes, formatTime, formatUsd } from "./wording.ts";

const listTasks = command({
  name: "task list",
  takes: [],
  says: "List tasks, newest first.",
  example: "genway task list --status IN_PROGRESS --kind video",
  options: {
    status: { type: "string", value: "STATUS", says: "SUBMITTED, QUEUED, IN_PROGRESS, SUCCESS or FAILURE" },
    kind: { type: "string", value: "KIND", says: "video, music or lyrics" },
    model: { type: "string", value: "NAME", says: "only tasks of this model" },
    account: { type: "string", value: "NAME", says: "only tasks of this account (operators)" },
    ...limitOption,
    ...gatewayOptions,
    ...jsonOption,
  },
  async run({ values }, shell) {
    const { client, path, isOperator } = taskDoor(shell, values.url);
    const query = { status: values.status?.toUpperCase(), kind: values.kind, model: values.model, account: values.account };
    const page = await client.list(TaskRecord, path, readLimit(values.limit), query);
    if (values.json) return shell.print(JSON.stringify({ object: "list", ...page }, null, 2));
    if (page.data.length === 0) return shell.note("There are no such tasks.");
    const names = isOperator ? await accountNames(client) : new Map<string, string>();
    const rows = page.data.map((task) => [
      task.id,
      task.kind,
      task.model,
      task.status,
      `${task.progress}%`,
      formatTime(task.created_at),
      formatUsd(task.cost_usd),
      ...(isOperator ? [names.get(task.account ?? "") ?? task.account ?? "-"] : []),
    ]);
    const heading = ["ID", "KIND", "MODEL", "STATUS", "DONE", "CREATED", "COST", ...(isOperator ? ["ACCOUNT"] : [])];
    printTable(shell, heading, rows, { right: ["DONE", "COST"] });
    noteMore(shell, page);
  },
});

const showTask = command({
  name: "task show",
  takes: ["ID"],
  says: "Show a task with its results and the attempts behind it.",
  example: "genway task show 0199f5d2-6a7c-7e31-9d53-0c1f6b2a4e88",
  options: { ...gatewayOptions, ...jsonOption },
  async run({ values, words: [id] }, shell) {
    const { client, path } = taskDoor(shell, values.url);
    const task = await client.ask(TaskRecord, "GET", `${path}/${encodeURIComponent(id)}`);
    if (values.json) return shell.print(JSON.stringify(task, null, 2));
    for (const line of alignColumns(facts(task))) shell.print(line);
    if (task.assets.length > 0) {
      shell.print("");
      printTable(
        shell,
        ["RESULT", "TYPE", "SIZE", "ADDRESS"],
        task.assets.map(({ kind, mime, bytes, url }) => [kind, mime, formatBytes(bytes), url]),
        { right: ["SIZE"] },
      );
    }
    if (task.attempts === undefined || task.attempts.length === 0) return;
    shell.print("");
    const rows = task.attempts.map(({ n, provider, model, state, upstream_id: upstreamId, cause }) => [
      String(n),
      provider,
      model || "-",
      state,
      upstreamId ?? "-",
      cause ?? "-",
    ]);
    printTable(shell, ["ATTEMPT", "PROVIDER", "MODEL", "STATE", "UPSTREAM ID", "CAUSE"], rows);
  },
});

const cancelTask = command({
  name: "task cancel",
  takes: ["ID"],
  says: "Cancel a task; it costs nothing unless its provider had begun and cannot stop.",
  example: "genway task cancel 0199f5d2-6a7c-7e31-9d53-0c1f6b2a4e88",
  options: { ...gatewayOptions, ...jsonOption },
  async run({ values, words: [id] }, shell) {
    const { client, path } = taskDoor(shell, values.url);
    const task = await client.ask(CancelledTask, "POST", `${path}/${encodeURIComponent(id)}/cancel`);
    shell.print(values.json ? JSON.stringify(task, null, 2) : cancelSentence(task));
  },
});

/** What became of a cancelled task, and what it cost. */
export function cancelSentence({ id, charged, cost_usd: cost }: Static<typeof CancelledTask>): string {
  if (!charged) return `Task ${id} is cancelled and cost ${formatUsd(cost)}.`;
  return `Task ${id} is cancelled, but its provider had begun and did not confirm to stop, so it cost ${formatUsd(cost)}.`;
}

/** Operators see the tasks of all accounts, with attempts; whoever has only a client key sees their own. */
function taskDoor(shell: Shell, named: string | undefined): { client: Client; path: string; isOperator: boolean } {
  const { url, adminKey } = findGateway(shell, named);
  if (adminKey !== null) return { client: createClient(url, adminKey), path: "/admin/v1/tasks", isOperator: true };
  const key = shell.env["GENWAY_KEY"];
  if (!key) throw new CommandError(`This needs a key of ${url}: set GENWAY_ADMIN_KEY, or GENWAY_KEY for your own tasks.`);
  return { client: createClient(url, { text: key, from: "GENWAY_KEY" }), path: "/v1/tasks", isOperator: false };
}

function facts(task: TaskRecord): string[][] {
  return [
    ["task", task.id],
    ["kind", task.kind],
    ["model", task.model],
    ["status", `${task.status} (${task.progress}%)`],
    ["created", formatTime(task.created_at)],
    ["started", formatTime(task.started_at)],
    ["finished", formatTime(task.finished_at)],
    ["cost", formatUsd(task.cost_usd)],
    ...(task.hold_usd === undefined ? [] : [["held for it", formatUsd(task.hold_usd)]]),
    ...(task.account === undefined ? [] : [["account", task.account]]),
    ...(task.error === null ? [] : [["failure", `${task.error.message} (${task.error.code})`]]),
  ];
}

export const taskCommands = [listTasks, showTask, cancelTask];
