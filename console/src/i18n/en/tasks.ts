export const tasks = {
  "tasks.title": "Tasks",
} as const;
