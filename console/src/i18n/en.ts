import { shell } from "./en/shell.ts";
import { ui } from "./en/ui.ts";
import { signIn } from "./en/sign-in.ts";
import { playground } from "./en/playground.ts";
import { gallery } from "./en/gallery.ts";
import { tasks } from "./en/tasks.ts";
import { task } from "./en/task.ts";
import { usage } from "./en/usage.ts";
import { money } from "./en/money.ts";
import { accounts } from "./en/accounts.ts";
import { providers } from "./en/providers.ts";
import { models } from "./en/models.ts";
import { webhooks } from "./en/webhooks.ts";
import { audit } from "./en/audit.ts";
import { system } from "./en/system.ts";

/** All texts in English; the keys of each part begin with its name. */
export const en = {
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
} as const;

export type Key = keyof typeof en;
export type Dictionary = Record<Key, string>;
