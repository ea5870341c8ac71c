import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Locator } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { goTo, patienceMs, startBench, withoutBrowser, type Bench } from "./bench.ts";
import type { ConsolePage } from "./console-page.ts";
import { choose, fill, formOf, quoteOf, resultsOf } from "./playground-steps.ts";

suite("text in the playground", { skip: withoutBrowser }, () => {
  let bench: Bench;
  let visitor: ConsolePage;
  before(async () => {
    bench = await startBench();
    visitor = await bench.visit();
    await goTo(visitor, bench.gateway.url, "/");
  });
  after(() => bench?.end());

  /** The lengths that a text had while it grew. */
  async function growth(text: Locator, isDone: () => Promise<boolean>): Promise<number[]> {
    const lengths: number[] = [];
    await eventually(
      async () => {
        const isOver = await isDone();
        const length = ((await text.textContent({ timeout: patienceMs })) ?? "").length;
        if (length > (lengths.at(-1) ?? 0)) lengths.push(length);
        return isOver;
      },
      { withinMs: patienceMs, everyMs: 15, what: "the end of the text" },
    );
    return lengths;
  }

  test("a conversation comes word by word, and the model remembers it", async () => {
    const { page } = visitor;
    await choose(page, "Chat");
    await formOf(page).getByText("More options").click();
    await fill(page, { "Most tokens": "24" });
    const results = resultsOf(page);
    const message = results.getByLabel("Message");
    const send = results.getByRole("button", { name: "Send" });
    await message.fill("Tell me of a fox.");
    await results.locator(".quote:not(.quote--old)").waitFor();
    await message.press("Enter");
    const exchanges = results.locator("ol > li");
    const answer = exchanges.nth(0).locator("p.prewrap:not(.chat__said)");
    const lengths = await growth(answer, () => send.isVisible());
    assert.ok(lengths.length > 2, `the text came in pieces: ${lengths.join(", ")}`);
    await message.fill("And then?");
    await send.click();
    await eventually(async () => (await exchanges.count()) === 2 && send.isVisible(), { withinMs: patienceMs, what: "a second answer" });
    assert.match(await exchanges.nth(1).innerText(), /\d+ \+ 24 tokens/);
    await visitor.shoot("playground-chat");
  });

  test("a completion grows, and each piece tells what else it might have been", async () => {
    const { page } = visitor;
    await choose(page, "Completion");
    await fill(page, { Prompt: "Once upon a time", "Most tokens": "24", "Alternatives to tell": "3" });
    const quoted = Number((await quoteOf(page))?.slice(1));
    await formOf(page).getByRole("button", { name: "Complete it" }).click();
    const card = resultsOf(page).getByRole("article").first();
    const text = card.locator("p.prewrap");
    const lengths = await growth(text, async () => !(await card.getByRole("button", { name: "Stop" }).isVisible()));
    assert.ok(lengths.length > 2, `the text came in pieces: ${lengths.join(", ")}`);
    const charged = Number((await card.locator(".run__foot [title^='$']").getAttribute("title"))?.slice(1));
    assert.ok(charged > 0 && charged <= quoted, `${charged} of at most ${quoted}`);

    await card.locator(".token").nth(2).hover();
    const choices = card.getByRole("listitem");
    assert.equal(await choices.count(), 3);
    assert.match(await choices.first().innerText(), /\d %|\d%/);
    const taken = (await card.locator(".token").nth(2).textContent()) ?? "";
    const shown = (await card.locator(".alternative--taken code").textContent()) ?? "";
    assert.equal(shown.replaceAll("␣", " "), taken);
    await visitor.shoot("playground-completion");

    await page.mouse.move(0, 0);
    await choices.first().waitFor({ state: "detached" });
    await text.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await choices.count(), 3);
    assert.equal(await card.locator(".token--shown").count(), 1);
  });

  test("texts are compared by how near they are", async () => {
    const { page } = visitor;
    await choose(page, "Embeddings");
    await fill(page, { "Texts, one a line": "The cat sleeps\nA kitten naps\nShares fell" });
    await quoteOf(page);
    await formOf(page).getByRole("button", { name: "Compare the texts" }).click();
    const card = resultsOf(page).getByRole("article").first();
    const rows = card.getByRole("table", { name: "Similarity of each pair" }).locator("tbody tr");
    await rows.first().waitFor({ timeout: patienceMs });
    const matrix = await Promise.all((await rows.all()).map(async (row) => (await row.locator("td").allInnerTexts()).map(Number)));
    assert.deepEqual(
      matrix.map((row, at) => row[at]),
      [1, 1, 1],
    );
    assert.equal(matrix[0]?.[1], matrix[1]?.[0]);
    assert.ok((matrix[0]?.[1] ?? 0) > (matrix[0]?.[2] ?? 0), `cats are nearer to cats: ${JSON.stringify(matrix)}`);
    await visitor.shoot("playground-embeddings");
  });
});
