export const system = {
  "system.title": "System",
} as const;
