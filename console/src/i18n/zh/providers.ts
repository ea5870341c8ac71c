import type { providers as en } from "../en/providers.ts";

export const providers: Record<keyof typeof en, string> = {
  "providers.title": "供应商",
};
