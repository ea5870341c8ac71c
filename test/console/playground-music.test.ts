import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { goTo, shows, startBench, withoutBrowser, type Bench } from "./bench.ts";
import type { ConsolePage } from "./console-page.ts";
import { choose, fill, formOf, hear, make, resultsOf } from "./playground-steps.ts";

suite("music in the playground", { skip: withoutBrowser }, () => {
  let bench: Bench;
  let visitor: ConsolePage;
  before(async () => {
    bench = await startBench();
    visitor = await bench.visit();
    await goTo(visitor, bench.gateway.url, "/");
  });
  after(() => bench?.end());

  test("lyrics are written, and handed on to be sung", async () => {
    const { page } = visitor;
    await choose(page, "Lyrics");
    await fill(page, { "What the lyrics are about": "rain" });
    const { card, quoted, charged } = await make(page, "Write the lyrics");
    assert.equal(charged, quoted);
    await shows(card, /\[Verse/);
    await visitor.inspect("lyrics");
    await card.getByRole("button", { name: "Sing it" }).click();
    await page.getByRole("tab", { name: "Custom", selected: true }).waitFor();
    assert.match(await formOf(page).getByLabel("Lyrics", { exact: true }).inputValue(), /\[Verse/);
  });

  test("a song is made of own words in an own style", async () => {
    const { page } = visitor;
    await choose(page, "Music", "Custom");
    await fill(page, { Title: "Small rain", Style: "folk", Lyrics: "[Verse]\nSmall rain falls\nall day long" });
    const { card, quoted, charged } = await make(page, "Make the song");
    assert.equal(charged, quoted);
    await card.getByRole("heading", { name: "Small rain", level: 3 }).first().waitFor();
    await hear(card.locator(".player").first());
    await card.getByText("Lyrics", { exact: true }).first().click();
    await shows(card, /Small rain falls/);
    await page.evaluate("scrollTo(0, 0)");
    await visitor.shoot("playground-song");
  });

  test("the song made before goes on", async () => {
    const { page } = visitor;
    const song = resultsOf(page).getByRole("article").first();
    await song.getByRole("button", { name: "Continue" }).first().click();
    await page.getByRole("tab", { name: "Continuation", selected: true }).waitFor();
    const chosen = formOf(page).getByLabel("Song to continue");
    await chosen.locator("option:checked", { hasText: /^Small rain · \d:\d\d$/ }).waitFor({ state: "attached" });
    await fill(page, { "Further lyrics": "[Verse]\nand then the sun", "From second": "4" });
    const { card, quoted, charged } = await make(page, "Make the song");
    assert.equal(charged, quoted);
    await hear(card.locator(".player").first());
    await visitor.inspect("a continuation");
  });
});
