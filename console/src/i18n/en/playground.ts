export const playground = {
  "playground.title": "Playground",
} as const;
