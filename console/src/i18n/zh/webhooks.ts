import type { webhooks as en } from "../en/webhooks.ts";

export const webhooks: Record<keyof typeof en, string> = {
  "webhooks.title": "Webhook",
};
