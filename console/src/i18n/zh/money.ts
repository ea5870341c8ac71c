import type { money as en } from "../en/money.ts";

export const money: Record<keyof typeof en, string> = {
  "money.title": "资金",
};
