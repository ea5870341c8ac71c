export const usage = {
  "usage.title": "Usage",
} as const;
