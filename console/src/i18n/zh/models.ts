import type { models as en } from "../en/models.ts";

export const models: Record<keyof typeof en, string> = {
  "models.title": "模型",
};
