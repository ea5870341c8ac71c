import { shell } from "./zh/shell.ts";
import { ui } from "./zh/ui.ts";
import { signIn } from "./zh/sign-in.ts";
import { playground } from "./zh/playground.ts";
import { gallery } from "./zh/gallery.ts";
import { tasks } from "./zh/tasks.ts";
import { task } from "./zh/task.ts";
import { usage } from "./zh/usage.ts";
import { money } from "./zh/money.ts";
import { accounts } from "./zh/accounts.ts";
import { providers } from "./zh/providers.ts";
import { models } from "./zh/models.ts";
import { webhooks } from "./zh/webhooks.ts";
import { audit } from "./zh/audit.ts";
import { system } from "./zh/system.ts";
import type { Dictionary } from "./en.ts";

/** All texts in Simplified Chinese. */
export const zh: Dictionary = {
  ...shell,
  ...ui,
  ...signIn,
  ...playground,
  ...gallery,
  ...tasks,
  ...task,
  ...usage,
  ...money,
  ...accounts,
  ...providers,
  ...models,
  ...webhooks,
  ...audit,
  ...system,
};
