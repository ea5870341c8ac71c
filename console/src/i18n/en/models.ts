export const models = {
  "models.title": "Models",
} as const;
