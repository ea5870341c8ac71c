import type { Key } from "../i18n/translate.ts";
import type { IconName } from "../ui/icon.tsx";

export type Section = { path: string; title: Key; icon: IconName };

/** What everybody sees, in the order of the navigation. */
export const sections: readonly Section[] = [
  { path: "/", title: "playground.title", icon: "sparkle" },
  { path: "/gallery", title: "gallery.title", icon: "gallery" },
  { path: "/tasks", title: "tasks.title", icon: "tasks" },
  { path: "/usage", title: "usage.title", icon: "usage" },
  { path: "/money", title: "money.title", icon: "money" },
  { path: "/webhooks", title: "webhooks.title", icon: "webhook" },
];

/** What operators and viewers see besides. */
export const staffSections: readonly Section[] = [
  { path: "/accounts", title: "accounts.title", icon: "key" },
  { path: "/providers", title: "providers.title", icon: "plug" },
  { path: "/models", title: "models.title", icon: "models" },
  { path: "/audit", title: "audit.title", icon: "audit" },
  { path: "/system", title: "system.title", icon: "system" },
];

/** Whether a path lies in a section; the playground is at the root. */
export function isIn(section: Section, path: string): boolean {
  if (section.path === "/") return path === "/" || path.startsWith("/playground");
  return path === section.path || path.startsWith(`${section.path}/`);
}
