export const audit = {
  "audit.title": "Audit log",
} as const;
