import type { playground as en } from "../en/playground.ts";

export const playground: Record<keyof typeof en, string> = {
  "playground.title": "创作台",
};
