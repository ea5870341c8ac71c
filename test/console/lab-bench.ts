import type { Browser } from "playwright-core";
import { openBrowser } from "../support/chromium.ts";
import { startLabGateway, type LabGateway, type LabGatewayOptions } from "../support/lab-gateway.ts";
import { settled } from "./bench.ts";
import { openConsole, type ConsolePage } from "./console-page.ts";

/** The service in configured mode with the lab behind it, and a browser to look at its console with. */
export type LabBench = LabGateway & {
  browser: Browser;
  /** Somebody who signs in with a key; operators look after the bench's customer. */
  visit(key?: string): Promise<ConsolePage>;
  /** Goes to a page by its address and waits until it has everything it wants to show. */
  goTo(visitor: ConsolePage, path: string): Promise<void>;
};

export async function startLabBench(options: LabGatewayOptions): Promise<LabBench> {
  const upstream = await startLabGateway({ ...options, console: true });
  const browser = await openBrowser();
  const { url, adminKey } = upstream.gateway;
  return {
    ...upstream,
    browser,
    async visit(key = adminKey ?? "") {
      const visitor = await openConsole(browser, url);
      visitor.page.setDefaultTimeout(30_000);
      await visitor.page.addInitScript(`localStorage.setItem("genway.account", ${JSON.stringify(upstream.account)})`);
      await visitor.open("/");
      await enter(visitor, key);
      return visitor;
    },
    async goTo({ page }, path) {
      await page.goto(`${url}/console${path}`);
      await settled(page);
    },
    async end() {
      await browser.close();
      await upstream.end();
    },
  };
}

/** Signs in with a key, on the page that asks for one. */
export async function enter({ page }: ConsolePage, key: string): Promise<void> {
  await page.getByLabel("Key", { exact: true }).fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Sections" }).first().waitFor();
}
