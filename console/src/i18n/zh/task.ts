import type { task as en } from "../en/task.ts";

export const task: Record<keyof typeof en, string> = {
  "task.title": "任务",
};
