import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../console/src/i18n/en.ts";
import { zh } from "../../console/src/i18n/zh.ts";
import { goTo, patienceMs, settled, startBench, withoutBrowser, type Bench } from "./bench.ts";
import { playgroundPaths, sectionPaths } from "./console-paths.ts";
import { hear, isHeard, resultsOf } from "./playground-steps.ts";

suite("the console in both languages, on a phone, without a mouse", { skip: withoutBrowser }, () => {
  let bench: Bench;
  before(async () => {
    bench = await startBench();
  });
  after(() => bench?.end());

  test("whoever reads Chinese finds no English on any page", async () => {
    const visitor = await bench.visit({ language: "zh" });
    const { page } = visitor;
    const left: string[] = [];
    for (const path of [...playgroundPaths, ...sectionPaths]) {
      await goTo(visitor, bench.gateway.url, path);
      await page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))");
      const texts = await shownTexts(page);
      assert.ok(
        texts.includes(zh["gallery.title"]) && texts.includes(zh["system.title"]),
        `the navigation is in Chinese: ${texts.join(" | ")}`,
      );
      left.push(...texts.filter(isLeftInEnglish).map((text) => `${path}: ${text}`));
    }
    assert.deepEqual(left, []);
    await goTo(visitor, bench.gateway.url, "/");
    await visitor.shoot("playground-zh");
    await visitor.close();
  });

  test("the language is changed on the page, and kept", async () => {
    const visitor = await bench.visit();
    const { page } = visitor;
    await goTo(visitor, bench.gateway.url, "/");
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("menuitemradio", { name: "简体中文" }).click();
    await page.getByRole("heading", { level: 1, name: zh["playground.title"] }).waitFor();
    assert.equal(await page.evaluate("document.documentElement.lang"), "zh-CN");
    await page.reload();
    await page.getByRole("button", { name: zh["playground.go.music"] }).waitFor();
    await page.getByRole("button", { name: zh["shell.language"] }).click();
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await page.getByRole("button", { name: "Make the song" }).waitFor();
    assert.equal(await page.evaluate("document.documentElement.lang"), "en");
    await visitor.inspect("a change of language");
    await visitor.close();
  });

  test("on a phone every page fits, is reached, and the first song is made", async () => {
    const visitor = await bench.visit({ width: 375, height: 760 });
    const { page } = visitor;
    await goTo(visitor, bench.gateway.url, "/");
    await page.getByRole("button", { name: "Make the song" }).tap();
    const player = resultsOf(page).locator(".player").first();
    await player.waitFor({ timeout: patienceMs });
    await hear(player);
    assert.ok(await isFitting(page), "the song fits");
    await visitor.shoot("phone-song");

    for (const path of [...playgroundPaths, ...sectionPaths]) {
      await goTo(visitor, bench.gateway.url, path);
      assert.ok(await isFitting(page), `${path} fits into the width of a phone`);
    }
    const bar = page.getByRole("navigation", { name: "Sections" });
    await bar.getByRole("link", { name: "Gallery" }).tap();
    await page.getByRole("heading", { level: 1, name: "Gallery" }).waitFor();
    await bar.getByRole("button", { name: "More" }).tap();
    const dialog = page.getByRole("dialog");
    await visitor.shoot("phone-navigation");
    await dialog.getByRole("link", { name: "System" }).tap();
    await page.getByRole("heading", { level: 1, name: "System" }).waitFor();
    await dialog.waitFor({ state: "detached" });
    await settled(page);
    await visitor.inspect("a phone");
    await visitor.close();
  });

  test("a song is made and played by keys alone, and it is always seen where one is", async () => {
    const visitor = await bench.visit();
    const { page } = visitor;
    await goTo(visitor, bench.gateway.url, "/");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to the page");
    await page.keyboard.press("Enter");
    await tabTo(page, "button[type=submit]");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Make the song");
    await page.keyboard.press("Enter");
    const player = resultsOf(page).locator(".player").first();
    await player.waitFor({ timeout: patienceMs });
    await tabTo(page, ".player button");
    await page.keyboard.press("Enter");
    await isHeard(player);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Home");
    assert.equal(await player.locator("audio").evaluate((it: { currentTime: number }) => it.currentTime), 0);
    await visitor.inspect("a song by keys");
    await visitor.close();
  });
});

/** Names that are the same in every language, and what the service itself wrote down. */
const names = new Set(["Genway", "English", "JSON", "local", "test", "starter credit"]);
const english = new Set(Object.values(en).filter((text) => /[a-z]{2}/.test(text)));
const chinese = new Set<string>(Object.values(zh));

/** Whether a text is one of the English ones, or words in a row that nobody translated. */
function isLeftInEnglish(text: string): boolean {
  if (names.has(text) || chinese.has(text)) return false;
  return english.has(text as never) || /[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}/.test(text);
}

/** Every text that is shown, read out, or stands in a field, but for values to press, which are sent as they are. */
async function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`{
    const found = new Set();
    const add = (text) => text && text.trim() && found.add(text.trim());
    for (const element of document.body.querySelectorAll("*")) {
      if (!element.checkVisibility() || element.closest("datalist, code, pre, .chip")) continue;
      for (const node of element.childNodes) if (node.nodeType === 3) add(node.data);
      for (const name of ["aria-label", "placeholder", "title", "alt"]) add(element.getAttribute(name));
      if (element.matches("textarea")) add(element.value);
    }
    [...found];
  }`);
}

/** Whether nothing makes the page wider than the window. */
function isFitting(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.documentElement.scrollWidth <= 375 && innerWidth === 375");
}

/** Presses Tab until the focus is on what is wanted; wherever it comes to, it must be seen. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    const [isThere, isSeen, what] = await page.evaluate<[boolean, boolean, string]>(`{
      const it = document.activeElement;
      const style = getComputedStyle(it);
      const around = it.parentElement ? getComputedStyle(it.parentElement) : style;
      const isMarked = [style, around].some(({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none");
      [it.matches(${JSON.stringify(selector)}), it === document.body || isMarked, it.outerHTML.slice(0, 200)];
    }`);
    assert.ok(isSeen, `the focus is not seen on ${what}`);
    if (isThere) return;
  }
  assert.fail(`Tab never comes to ${selector}`);
}
