import type { Reply } from "../../api/client.ts";
import { nameOf } from "../task/task-words.ts";

type Wire = Reply<"/v1/tasks">["data"][number] & { account?: string };

/** What the list keeps of a task: enough for its line, and no result. */
export type TaskRow = {
  id: string;
  kind: string;
  name: string;
  model: string;
  status: string;
  progress: number;
  createdAt: number;
  finishedAt: number | null;
  costUsd: number;
  error: string;
  account: string;
};

const longestName = 140;

export function taskRowOf(task: Wire): TaskRow {
  return {
    id: task.id,
    kind: task.kind,
    name: nameOf(task).replaceAll(/\s+/g, " ").slice(0, longestName),
    model: task.model,
    status: task.status,
    progress: task.progress,
    createdAt: task.created_at,
    finishedAt: task.finished_at,
    costUsd: task.cost_usd,
    error: task.error?.message.slice(0, longestName) ?? "",
    account: task.account ?? "",
  };
}
