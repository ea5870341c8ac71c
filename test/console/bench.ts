import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import { findChromium, openBrowser } from "../support/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { openConsole, type ConsolePage, type Look } from "./console-page.ts";

/** Why suites in a browser do not run here; false where they do. */
export const withoutBrowser = findChromium() === null && "no Chromium on this machine";

/** How long whatever is made here may take on a machine that has other things to do. */
export const patienceMs = 150_000;

/** The service in local mode, and a browser to look at its console with. */
export type Bench = {
  gateway: TestGateway;
  browser: Browser;
  /** Another visitor; gone with the bench. */
  visit(look?: Look): Promise<ConsolePage>;
  end(): Promise<void>;
};

export async function startBench(env: Record<string, string> = {}): Promise<Bench> {
  const gateway = await startGateway({ console: true, env });
  const browser = await openBrowser();
  return {
    gateway,
    browser,
    async visit(look = {}) {
      const visitor = await openConsole(browser, gateway.url, look);
      visitor.page.setDefaultTimeout(60_000);
      return visitor;
    },
    async end() {
      await browser.close();
      await gateway.end();
    },
  };
}

/** Goes to a page by its address and waits until it has everything it wants to show. */
export async function goTo({ page }: ConsolePage, url: string, path: string): Promise<void> {
  await page.goto(`${url}/console${path}`);
  await settled(page);
}

/** Waits until nothing on the page is still being fetched. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await eventually(async () => (await page.locator("main :is([aria-busy=true], .skeleton, .spinner)").count()) === 0, { what: "the page" });
  await page.evaluate("document.fonts.ready");
}

/** Waits until what an element shows is as it should be. */
export async function shows(element: Locator, text: RegExp): Promise<void> {
  const isSaid = async () => text.test(await element.innerText());
  await eventually(isSaid, { withinMs: 30_000 }).catch(async () => assert.match(await element.innerText(), text));
}
