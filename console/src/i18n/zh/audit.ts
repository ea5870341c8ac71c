import type { audit as en } from "../en/audit.ts";

export const audit: Record<keyof typeof en, string> = {
  "audit.title": "审计日志",
};
