import type { ImageAct, TaskInput, VideoAct } from "./kinds.ts";

/** How a task goes on from another's result. */
export type Relation = "continuation" | Exclude<VideoAct, "generate"> | ImageAct;

/** The task whose result another goes on from, and what was done with it. */
export type Parent = { taskId: string; relation: Relation };

/** Where a task comes from; null where it starts anew. */
export function parentOf(task: TaskInput): Parent | null {
  if (task.kind === "music" && task.input.continues) return { taskId: task.input.continues.taskId, relation: "continuation" };
  if (task.kind === "video" && task.input.source) return { taskId: task.input.source.taskId, relation: task.input.source.act };
  if (task.kind === "image" && task.input.source) return { taskId: task.input.source.taskId, relation: task.input.act };
  return null;
}
