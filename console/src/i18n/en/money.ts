export const money = {
  "money.title": "Money",
} as const;
