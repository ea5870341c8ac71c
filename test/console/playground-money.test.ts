import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { run, type Said } from "../operate/programs.ts";
import { createClient } from "../support/client.ts";
import { png } from "../support/samples.ts";
import type { Balance, List } from "../support/wire.ts";
import { goTo, startBench, withoutBrowser, type Bench } from "./bench.ts";
import type { ConsolePage } from "./console-page.ts";
import { choose, fill, formOf, make, quoteOf, seePictures } from "./playground-steps.ts";

suite("what the playground says before and after the button", { skip: withoutBrowser }, () => {
  let bench: Bench;
  let visitor: ConsolePage;
  const folder = mkdtempSync(join(tmpdir(), "genway-snippets-"));
  before(async () => {
    bench = await startBench();
    await bench.gateway.admin("POST", "/admin/v1/accounts", { name: "without credit" });
    visitor = await bench.visit();
    await goTo(visitor, bench.gateway.url, "/");
  });
  after(async () => {
    await bench?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test("two models stand side by side, and cost what was said beside the button", async () => {
    const { page } = visitor;
    const client = createClient(bench.gateway.url, bench.gateway.firstKey);
    const used = async () => (await client.get<Balance>("/v1/balance")).body.used_usd;
    const usedBefore = await used();
    await choose(page, "Images", "Generate");
    await fill(page, { Prompt: "a red house", Size: "256x256" });
    await formOf(page).getByRole("button", { name: "Compare with another model" }).click();
    await fill(page, { "Model 1": "gpt-image-1", "Model 2": "dall-e-2" });
    const { card, quoted } = await make(page, "Make the picture");
    assert.deepEqual(await card.getByRole("heading", { level: 3 }).allInnerTexts(), ["gpt-image-1", "dall-e-2"]);
    assert.deepEqual(await seePictures(card), ["256x256", "256x256"]);
    const [left, right] = await Promise.all((await card.locator(".run__column").all()).map((column) => column.boundingBox()));
    assert.ok(left && right && left.x + left.width <= right.x && Math.abs(left.y - right.y) < 2, "side by side");

    const taken = await Promise.all((await card.locator(".run__foot [title^='$']").all()).map((each) => each.getAttribute("title")));
    const sum = taken.reduce((total, each) => total + inNanos(each), 0);
    assert.equal(sum, inNanos(quoted));
    assert.equal(Math.round((await used()) * 1e9) - Math.round(usedBefore * 1e9), sum);
    const { body } = await client.get<List<{ kind: string; task: string | null; amount_usd: number }>>("/v1/ledger?limit=20");
    assert.equal(new Set(body.data.flatMap(({ task }) => task ?? [])).size, 2, "both are in the ledger");
    await visitor.shoot("playground-compare");
  });

  test("a value that cannot be is said beside its field, before and after sending", async () => {
    const { page } = visitor;
    visitor.expectStatus(400);
    await choose(page, "Video");
    await fill(page, { Prompt: "" });
    await formOf(page).getByRole("button", { name: "Make the video" }).click();
    assert.equal(await saidOf(page, "Prompt"), "This is needed.");
    assert.equal(await page.evaluate("document.activeElement.tagName"), "TEXTAREA", "the field has the focus");
    await fill(page, { Prompt: "a lake", "Length in seconds": "100" });
    await formOf(page).getByRole("button", { name: "Make the video" }).click();
    await formOf(page).locator("[aria-invalid=true]").waitFor();
    assert.match(await saidOf(page, "Length in seconds"), /duration/);
    await visitor.shoot("playground-refused");
    await fill(page, { "Length in seconds": "1" });
    await formOf(page).locator("[aria-invalid=true]").waitFor({ state: "detached" });
    await quoteOf(page);
  });

  test("without credit the refusal says what to do", async () => {
    const { page } = visitor;
    visitor.expectStatus(402);
    await page.getByRole("combobox", { name: "Account" }).selectOption("without credit");
    await choose(page, "Lyrics");
    await quoteOf(page);
    await formOf(page).getByRole("button", { name: "Write the lyrics" }).click();
    const refusal = formOf(page).getByRole("alert");
    await refusal.getByText("Add credit to the account under Accounts, then try again.").waitFor();
    await visitor.shoot("playground-no-credit");
    await page.getByRole("combobox", { name: "Account" }).selectOption("local");
  });

  test("what is shown as code does the same in a shell", async () => {
    const { page } = visitor;
    const { body } = await bench.gateway.admin("POST", "/admin/v1/keys", { account: "local", name: "snippets" });
    const env = { GENWAY_KEY: String(body["key"]) };
    const inShell = (code: string): Promise<Said> => run("sh", ["-c", `cd '${folder}' && ${code}`], env);

    await choose(page, "Lyrics");
    await fill(page, { "What the lyrics are about": "it's 5 o'clock \\ \"here\" $HOME" });
    const lyrics = await inShell(await codeOf(page, "curl"));
    assert.match(lyrics.said, /"status":"SUCCESS"/);
    const written = await run(
      process.execPath,
      ["--conditions=genway-source", "--input-type=module", "-e", await codeOf(page, "TypeScript")],
      env,
    );
    assert.equal(written.code, 0, written.said);
    assert.match(written.said, /\[Verse/);

    await choose(page, "Images", "Variation");
    const picture = png(256, 256);
    writeFileSync(join(folder, "grey.png"), picture);
    await formOf(page).getByLabel("Picture", { exact: true }).setInputFiles({ name: "grey.png", mimeType: "image/png", buffer: picture });
    await fill(page, { Size: "256x256" });
    assert.match((await inShell(await codeOf(page, "curl"))).said, /"(url|b64_json)":/);

    await choose(page, "Completion");
    await fill(page, { "Most tokens": "8" });
    const streamed = await inShell(await codeOf(page, "curl"));
    assert.ok(streamed.said.split("data: ").length > 4 && streamed.said.includes("[DONE]"), streamed.said);

    await choose(page, "Speech");
    await fill(page, { "Text to say": "Yes." });
    await inShell(await codeOf(page, "curl"));
    assert.ok(statSync(join(folder, "speech.mp3")).size > 2_000);
  });

  /** What is shown as code for the form as it is filled in. */
  async function codeOf(page: Page, language: string): Promise<string> {
    await formOf(page).getByRole("button", { name: "As code" }).click();
    const dialog = page.getByRole("dialog", { name: "This request as code" });
    await dialog.getByRole("tab", { name: language }).click();
    if (language === "TypeScript") await visitor.shoot("playground-code");
    const code = (await dialog.locator("code").textContent()) ?? "";
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    return code;
  }
});

/** What is said of a field to whoever comes to it. */
async function saidOf(page: Page, label: string): Promise<string> {
  const control = formOf(page).getByLabel(label, { exact: true });
  assert.equal(await control.getAttribute("aria-invalid"), "true", label);
  return page.locator(`[id="${await control.getAttribute("aria-describedby")}"]`).innerText();
}

function inNanos(usd: string | null): number {
  return Math.round(Number(usd?.slice(1)) * 1e9);
}
