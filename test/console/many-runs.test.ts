import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Page, Request } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { settled, withoutBrowser } from "./bench.ts";
import type { ConsolePage } from "./console-page.ts";
import { openRequests } from "./last-sight.ts";
import { startLabBench, type LabBench } from "./lab-bench.ts";
import { choose, fill, formOf, resultsOf } from "./playground-steps.ts";

/** More than the connections that a browser opens to one service. */
const runs = 8;

suite("much at once in the playground", { skip: withoutBrowser }, () => {
  let bench: LabBench;
  let visitor: ConsolePage;
  let page: Page;
  let open: Set<Request>;
  before(async () => {
    bench = await startLabBench({ types: ["runway"] });
    visitor = await bench.visit();
    page = visitor.page;
    open = openRequests(page);
  });
  after(() => bench?.end());

  const streams = () => [...open].filter((request) => request.url().endsWith("/events")).length;
  const hide = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
    );

  test("all of it is followed to its end, and everything else goes on meanwhile", async () => {
    await bench.goTo(visitor, "/");
    await choose(page, "Video");
    await fill(page, { Prompt: "a slow ship [lab:seconds=30]" });
    await formOf(page).getByLabel("Model", { exact: true }).selectOption("gen4.5");
    const cards = resultsOf(page).getByRole("article");
    for (let run = 1; run <= runs; run++) {
      await formOf(page).getByRole("button", { name: "Make the video" }).click();
      await eventually(async () => (await cards.count()) === run, { what: `run ${run}` });
    }
    const listed = async () => (await bench.client.get<{ data: { id: string }[] }>("/v1/tasks?limit=50")).body.data;
    const tasks = await eventually(async () => ((await listed()).length === runs ? listed() : null), { what: "a task for each" });
    assert.ok(streams() >= 1 && streams() <= 2, `${streams()} streams`);

    await hide(true);
    await eventually(() => streams() === 0, { what: "that a hidden page leaves the connections to others" });
    await hide(false);
    await eventually(() => streams() === 2, { what: "that it takes them again" });

    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    await settled(page);
    await eventually(async () => (await page.getByRole("row").filter({ hasText: "a slow ship" }).count()) === runs);
    await page.getByRole("link", { name: "Playground", exact: true }).click();
    await choose(page, "Video");
    for (const { id } of tasks) await bench.reach(id, "SUCCESS");
    await eventually(async () => (await resultsOf(page).locator("video").count()) === runs, { what: "a film in every card" });
    await eventually(() => streams() === 0);
    await visitor.inspect("many films");
  });
});
