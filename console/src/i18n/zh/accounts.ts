import type { accounts as en } from "../en/accounts.ts";

export const accounts: Record<keyof typeof en, string> = {
  "accounts.title": "账户与密钥",
};
