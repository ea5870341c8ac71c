import { lazy, type ComponentType } from "react";

/** A page that is loaded when it is first opened. */
function page<M extends string>(load: () => Promise<Record<M, ComponentType>>, name: M) {
  return lazy(async () => ({ default: (await load())[name] }));
}

/** Begins to load the page that most people open first, while who is there is still being asked. */
export function loadFirstPage(path: string): void {
  if (/^\/console\/?(?:playground|$)/.test(path)) import("../pages/playground/playground-page.tsx").catch(() => undefined);
}

const Playground = page(() => import("../pages/playground/playground-page.tsx"), "PlaygroundPage");

type Route = { path: string; key?: string; staff: boolean; Page: ComponentType };

/** Every route with its page, tried in this order; `staff` ones are for operators and viewers, and those of one `key` are one page. */
export const routes: readonly Route[] = [
  { path: "/", key: "playground", staff: false, Page: Playground },
  { path: "/playground/:medium/:way?", key: "playground", staff: false, Page: Playground },
  { path: "/gallery", staff: false, Page: page(() => import("../pages/gallery/gallery-page.tsx"), "GalleryPage") },
  { path: "/tasks", staff: false, Page: page(() => import("../pages/tasks/tasks-page.tsx"), "TasksPage") },
  { path: "/tasks/:id", staff: false, Page: page(() => import("../pages/task/task-page.tsx"), "TaskPage") },
  { path: "/usage", staff: false, Page: page(() => import("../pages/usage/usage-page.tsx"), "UsagePage") },
  { path: "/money", staff: false, Page: page(() => import("../pages/money/money-page.tsx"), "MoneyPage") },
  { path: "/accounts/:id?", staff: true, Page: page(() => import("../pages/accounts/accounts-page.tsx"), "AccountsPage") },
  { path: "/providers", staff: true, Page: page(() => import("../pages/providers/providers-page.tsx"), "ProvidersPage") },
  { path: "/models", staff: true, Page: page(() => import("../pages/models/models-page.tsx"), "ModelsPage") },
  { path: "/webhooks/:id?", staff: false, Page: page(() => import("../pages/webhooks/webhooks-page.tsx"), "WebhooksPage") },
  { path: "/audit", staff: true, Page: page(() => import("../pages/audit/audit-page.tsx"), "AuditPage") },
  { path: "/system", staff: true, Page: page(() => import("../pages/system/system-page.tsx"), "SystemPage") },
];
