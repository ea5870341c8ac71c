import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { goTo, patienceMs, shows, startBench, withoutBrowser, type Bench } from "./bench.ts";
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

  test("a conversation comes word by word, and the model remembers it", async () => {
    const { page } = visitor;
    await choose(page, "Chat");
    await formOf(page).getByText("More options").click();
    await fill(page, { "Most tokens": "24", Temperature: "0" });
    const results = resultsOf(page);
    const message = results.getByLabel("Message");
    const send = results.getByRole("button", { name: "Send" });
    await message.fill("Tell me of a fox.");
    await results.locator(".quote:not(.quote--old)").waitFor();
    const lengths = await growthOf(page);
    await message.press("Enter");
    const exchanges = results.locator("ol > li");
    const told = (nth: number) => exchanges.nth(nth).getByText(/^\d+ \+ \d+ tokens$/);
    await told(0).waitFor({ timeout: patienceMs });
    assert.ok((await lengths()).length > 2, `the text came in pieces: ${(await lengths()).join(", ")}`);
    await message.fill("And then?");
    const [asked] = await Promise.all([page.waitForRequest(/\/v1\/chat\/completions$/), send.click()]);
    const { messages } = asked.postDataJSON() as { messages: { role: string; content: string }[] };
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
    await told(1).waitFor({ timeout: patienceMs });
    await visitor.shoot("playground-chat");
  });

  test("a completion grows, and each piece tells what else it might have been", async () => {
    const { page } = visitor;
    await choose(page, "Completion");
    // Drawn by chance, a piece may be none of the three likeliest, or the story's end.
    await fill(page, { Prompt: "Once upon a time", "Most tokens": "24", Temperature: "0", "Alternatives to tell": "3" });
    const quoted = Number((await quoteOf(page))?.slice(1));
    const lengths = await growthOf(page);
    await formOf(page).getByRole("button", { name: "Complete it" }).click();
    const card = resultsOf(page).getByRole("article").first();
    const text = card.locator("p.prewrap");
    await card.getByText(/^\d+ \+ 24 tokens$/).waitFor({ timeout: patienceMs });
    assert.ok((await lengths()).length > 2, `the text came in pieces: ${(await lengths()).join(", ")}`);
    const charged = Number((await card.locator(".run__foot [title^='$']").getAttribute("title"))?.slice(1));
    assert.ok(charged > 0 && charged <= quoted, `${charged} of at most ${quoted}`);

    await card.locator(".token").nth(2).hover();
    const choices = card.getByRole("listitem");
    await choices.nth(2).waitFor();
    assert.equal(await choices.count(), 3);
    await shows(choices.first(), /\d %|\d%/);
    const taken = (await card.locator(".token").nth(2).textContent()) ?? "";
    const shown = (await card.locator(".alternative--taken code").textContent()) ?? "";
    assert.equal(shown.replaceAll("␣", " "), taken);
    await visitor.shoot("playground-completion");

    await page.mouse.move(0, 0);
    await choices.first().waitFor({ state: "detached" });
    await text.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await choices.nth(2).waitFor();
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

/** The lengths that the answer has while it grows, from now on. */
async function growthOf(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(`{
    const lengths = (globalThis.lengths = []);
    const look = () => {
      const length = document.querySelector("[aria-label=Results] p.prewrap:not(.chat__said)")?.textContent.length ?? 0;
      if (length > (lengths.at(-1) ?? 0)) lengths.push(length);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  }`);
  return () => page.evaluate<number[]>("globalThis.lengths");
}
