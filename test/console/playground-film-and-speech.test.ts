import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { goTo, startBench, withoutBrowser, type Bench } from "./bench.ts";
import type { ConsolePage } from "./console-page.ts";
import { choose, fill, formOf, hear, make, resultsOf, watch } from "./playground-steps.ts";

suite("video, speech and transcription in the playground", { skip: withoutBrowser }, () => {
  let bench: Bench;
  let visitor: ConsolePage;
  before(async () => {
    bench = await startBench();
    visitor = await bench.visit();
    await goTo(visitor, bench.gateway.url, "/");
  });
  after(() => bench?.end());

  test("a video is made that plays through", async () => {
    const { page } = visitor;
    await choose(page, "Video");
    await fill(page, { Prompt: "a lake at dawn", "Length in seconds": "1", Shape: "1:1" });
    const { card, quoted, charged } = await make(page, "Make the video");
    assert.equal(charged, quoted);
    await watch(card.locator("video"));
    await visitor.shoot("playground-video");
  });

  test("a text is said aloud", async () => {
    const { page } = visitor;
    await choose(page, "Speech");
    await fill(page, { "Text to say": "Good morning." });
    const { card, quoted, charged } = await make(page, "Say it");
    assert.equal(charged, quoted);
    await hear(card.locator(".player"));
    await visitor.shoot("playground-speech");
  });

  test("a recording is written down", async () => {
    const { page } = visitor;
    const spoken = resultsOf(page).getByRole("article").first();
    const address = (await spoken.getByRole("link", { name: "Download" }).getAttribute("href")) ?? "";
    const recording = Buffer.from(await (await fetch(bench.gateway.url + address)).arrayBuffer());
    await choose(page, "Transcription");
    await formOf(page)
      .getByLabel("Recording", { exact: true })
      .setInputFiles({ name: "morning.mp3", mimeType: "audio/mpeg", buffer: recording });
    await formOf(page).getByText("morning.mp3").waitFor();
    const { card, charged } = await make(page, "Write it down");
    assert.match(charged, /^\$0\.\d+$/);
    assert.match((await card.locator("p.prewrap").innerText()).trim(), /good morning/i);
    await visitor.shoot("playground-transcription");
  });

  test("what was said goes straight on to be written down", async () => {
    const { page } = visitor;
    await choose(page, "Speech");
    await resultsOf(page).getByRole("article").first().getByRole("button", { name: "Transcribe" }).click();
    await formOf(page).getByText("result.mp3").waitFor();
    await formOf(page).getByRole("button", { name: "Write it down" }).waitFor();
  });
});
