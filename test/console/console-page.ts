import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { watch } from "./last-sight.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const root = join(import.meta.dirname, "../..");
const aside = join(root, ".toolchain/screenshots");
/** Those that the documentation shows; they are drawn anew with GENWAY_SCREENSHOTS=docs. */
const shown = ["README.md", "docs/console.md"].map((file) => readFileSync(join(root, file), "utf8")).join("\n");

/** Where the picture of a page goes: aside, or into the documentation when that shows it and is to be drawn anew. */
function placeOf(file: string): string {
  const isWanted = process.env["GENWAY_SCREENSHOTS"] === "docs" && shown.includes(`screenshots/${file}`);
  return join(isWanted ? join(root, "docs/screenshots") : aside, file);
}

/** Colours that fade into others are judged when they have arrived; what turns for ever is left alone. */
const stillness = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
  Promise.allSettled(document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < 5000).map((each) => each.finished)))`;

export type Look = { width?: number; height?: number; scheme?: "light" | "dark"; language?: "en" | "zh" };

/** A page of the console in a real browser, which remembers everything that went wrong in it. */
export type ConsolePage = {
  page: Page;
  context: BrowserContext;
  /** Goes to an address of the console and waits until it stands still. */
  open(path: string): Promise<void>;
  /** A reply of this status is what the test is about, and no mistake. */
  expectStatus(status: number): void;
  /** Fails when the page logged an error, a request failed, or somebody with impaired senses could not use what it shows. */
  inspect(name: string): Promise<void>;
  /** Inspects the page, and keeps a picture of it in light and in dark. */
  shoot(name: string): Promise<void>;
  close(): Promise<void>;
};

export async function openConsole(browser: Browser, url: string, look: Look = {}): Promise<ConsolePage> {
  const { width = 1280, height = 860, scheme = "light", language = "en" } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale: language === "zh" ? "zh-CN" : "en-US",
    reducedMotion: "reduce",
    ...(width < 600 && { hasTouch: true, isMobile: true }),
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const expected = new Set<number>();
  watch(page, problems);
  page.on("console", (message) => {
    const isExpected = [...expected].some((status) => message.text().includes(String(status)));
    if (message.type() === "error" && !isExpected) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // What the page itself no longer wants is no failure.
    if (why !== "net::ERR_ABORTED") problems.push(`request: ${request.method()} ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && !expected.has(response.status())) problems.push(`reply: ${response.status()} ${response.url()}`);
  });

  /** Everything that can be judged of a page, or its colours alone. */
  async function judge(name: string, colours: boolean): Promise<void> {
    await page.evaluate(stillness);
    if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axeSource);
    const rules = colours ? `runOnly: ["color-contrast"], ` : "";
    const found = await page.evaluate<string[]>(`axe.run(document, { ${rules}resultTypes: ["violations"] }).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => id + ": " + help + " at " + target.join(" ") + " " + failureSummary)))`);
    assert.deepEqual(found, [], `${name} is hard to use for some`);
    assert.deepEqual(problems, [], `${name} had problems`);
  }

  return {
    page,
    context,
    async open(path) {
      await page.goto(`${url}/console${path}`);
      await page.waitForLoadState("networkidle").catch(() => undefined);
    },
    expectStatus: (status) => void expected.add(status),
    inspect: (name) => judge(name, false),
    async shoot(name) {
      for (const folder of [aside, join(root, "docs/screenshots")]) mkdirSync(folder, { recursive: true });
      for (const each of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: each });
        await page.locator(`html[data-theme=${each}]`).waitFor({ state: "attached" });
        // The other scheme changes nothing but colours.
        await judge(`${name} (${each})`, each === "dark");
        await page.screenshot({ path: placeOf(`${name}-${each}.png`), animations: "disabled" });
      }
      await page.emulateMedia({ colorScheme: scheme });
    },
    close: () => context.close(),
  };
}
