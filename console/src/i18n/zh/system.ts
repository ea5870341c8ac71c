import type { system as en } from "../en/system.ts";

export const system: Record<keyof typeof en, string> = {
  "system.title": "系统",
};
