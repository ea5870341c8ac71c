import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { png } from "../support/samples.ts";
import { goTo, startBench, withoutBrowser, type Bench } from "./bench.ts";
import type { ConsolePage } from "./console-page.ts";
import { choose, fill, follow, formOf, make, resultsOf, seePictures } from "./playground-steps.ts";

suite("pictures in the playground", { skip: withoutBrowser }, () => {
  let bench: Bench;
  let visitor: ConsolePage;
  before(async () => {
    bench = await startBench();
    visitor = await bench.visit();
    await goTo(visitor, bench.gateway.url, "/");
  });
  after(() => bench?.end());

  test("a picture is painted, looked at large, and saved", async () => {
    const { page } = visitor;
    await choose(page, "Images", "Generate");
    await fill(page, { Prompt: "a red house", Size: "256x256" });
    const { card, quoted, charged } = await make(page, "Make the picture");
    assert.equal(charged, quoted);
    assert.deepEqual(await seePictures(card), ["256x256"]);
    await card.getByRole("button", { name: "Enlarge picture 1" }).click();
    const large = page.getByRole("dialog", { name: "a red house" });
    await large.getByRole("button", { name: "Zoom" }).click();
    await visitor.inspect("the viewer");
    const [saved] = await Promise.all([page.waitForEvent("download"), large.getByRole("link", { name: "Download" }).click()]);
    assert.equal(await saved.failure(), null);
    await page.keyboard.press("Escape");
    await large.waitFor({ state: "detached" });
    await visitor.shoot("playground-picture");
  });

  test("an own picture is edited, and the result is varied", async () => {
    const { page } = visitor;
    await choose(page, "Images", "Edit");
    await formOf(page)
      .getByLabel("Picture", { exact: true })
      .setInputFiles({ name: "grey.png", mimeType: "image/png", buffer: png(256, 256) });
    await formOf(page).getByText("grey.png").waitFor();
    await fill(page, { Prompt: "with a moon", Size: "256x256" });
    const edited = await make(page, "Make the picture");
    assert.equal(edited.charged, edited.quoted);
    assert.deepEqual(await seePictures(edited.card), ["256x256"]);

    await edited.card.getByRole("button", { name: "Vary" }).click();
    await page.getByRole("tab", { name: "Variation", selected: true }).waitFor();
    await formOf(page).getByText("result.png").waitFor();
    await fill(page, { Size: "256x256" });
    const varied = await make(page, "Make the picture");
    assert.equal(varied.charged, varied.quoted);
    assert.deepEqual(await seePictures(varied.card), ["256x256"]);
    await visitor.inspect("an edited and a varied picture");
  });

  test("of a grid of four one is made large and another varied", async () => {
    const { page } = visitor;
    await choose(page, "Images", "Grid of four");
    await fill(page, { Prompt: "a small boat" });
    const { quoted, charged } = await make(page, "Make the picture");
    assert.equal(charged, quoted);
    const grid = resultsOf(page).getByRole("article", { name: "a small boat", exact: true });
    assert.equal((await seePictures(grid)).length, 4);
    await visitor.shoot("playground-grid");

    const upscale = await follow(page, () => grid.getByRole("button", { name: "Upscale" }).nth(1).click());
    assert.equal(await upscale.card.getAttribute("aria-label"), "Upscale 2 · a small boat");
    assert.equal((await seePictures(upscale.card)).length, 1);

    const varied = await follow(page, () => grid.getByRole("button", { name: "Vary" }).nth(2).click());
    assert.equal(await varied.card.getAttribute("aria-label"), "Vary 3 · a small boat");
    assert.equal((await seePictures(varied.card)).length, 4);
    await visitor.inspect("what was made of the grid");
  });
});
