import type { usage as en } from "../en/usage.ts";

export const usage: Record<keyof typeof en, string> = {
  "usage.title": "用量",
};
