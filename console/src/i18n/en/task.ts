export const task = {
  "task.title": "Task",
} as const;
