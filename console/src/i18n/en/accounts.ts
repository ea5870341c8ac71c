export const accounts = {
  "accounts.title": "Accounts & keys",
} as const;
