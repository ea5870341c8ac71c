import type { tasks as en } from "../en/tasks.ts";

export const tasks: Record<keyof typeof en, string> = {
  "tasks.title": "任务",
};
