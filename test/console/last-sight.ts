import { afterEach } from "node:test";
import type { Page, Request } from "playwright-core";

type Sight = { page: Page; problems: readonly string[]; open: Set<Request> };

const watched = new Set<Sight>();

/** Remembers a page, so that a test that fails tells what it showed at last. */
export function watch(page: Page, problems: readonly string[]): void {
  const sight: Sight = { page, problems, open: openRequests(page) };
  watched.add(sight);
  page.on("close", () => watched.delete(sight));
}

/** The requests of a page that are under way, kept up to date. */
export function openRequests(page: Page): Set<Request> {
  const open = new Set<Request>();
  page.on("request", (request) => open.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const) page.on(end as "requestfinished", (request) => open.delete(request));
  return open;
}

afterEach(async (context) => {
  const cause = "error" in context && context.error instanceof Error ? context.error.cause : null;
  if (!(cause instanceof Error)) return;
  const sights = await Promise.all([...watched].map(tell));
  cause.message = [cause.message, ...sights].join("\n");
});

async function tell({ page, problems, open }: Sight): Promise<string> {
  const seen = await page
    .locator("body")
    .innerText({ timeout: 5_000 })
    .catch((error: unknown) => String(error));
  const waits = [...open].map((request) => `${request.method()} ${request.url()}`);
  return `at ${page.url()}: ${seen.replaceAll(/\s+/g, " ").slice(0, 1_500)}\n${JSON.stringify({ problems, waits })}`;
}
