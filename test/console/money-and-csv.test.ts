import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, suite, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/chromium.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { createTestClock } from "../support/test-clock.ts";
import { settled, shows, withoutBrowser } from "./bench.ts";
import { openConsole, type ConsolePage } from "./console-page.ts";
import { enter } from "./lab-bench.ts";

type Point = Record<string, number | null>;
type Usage = { series: { name: string; points: Point[]; total: Point }[] };
type LedgerRow = Record<string, string | number | null>;

const file = `models:
  talk: { kinds: [chat], routes: [{ provider: local }], price: { input_per_million: 15, output_per_million: 60 } }
  lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: { per_call: 0.005 } }
local: true
`;
const nasty = 'an invoice, "number 7"\nand two lines';

suite("money and usage as tables", { skip: withoutBrowser }, () => {
  const clock = createTestClock();
  let gateway: TestGateway;
  let client: Client;
  let account = "";
  let browser: Browser;
  let operator: ConsolePage;
  let owner: ConsolePage;
  before(async () => {
    gateway = await startGateway({ console: true, yaml: file, clock: clock.now });
    const customer = await gateway.customer(1);
    account = customer.account;
    client = createClient(gateway.url, customer.key);
    await gateway.admin("POST", "/admin/v1/credits", { account, amount_usd: 0.25, note: nasty });
    for (let call = 0; call < 3; call++) await spend();
    const wrong = await client.post("/v1/chat/completions", { model: "nothing", messages: [{ role: "user", content: "hello" }] });
    assert.equal(wrong.status, 404);
    browser = await openBrowser();
    operator = await arrive(gateway.adminKey ?? "");
    owner = await arrive(customer.key);
  });
  after(async () => {
    await browser?.close();
    await gateway?.end();
  });

  async function spend(): Promise<void> {
    const messages = [{ role: "user", content: "hello there" }];
    const statuses = [
      (await client.post("/v1/chat/completions", { model: "talk", messages, max_tokens: 20 })).status,
      (await client.post("/musicA/submit/lyrics", { prompt: "a kite" }, { headers: { prefer: "wait=30" } })).status,
    ];
    assert.deepEqual(statuses, [200, 200]);
  }

  async function arrive(key: string): Promise<ConsolePage> {
    const visitor = await openConsole(browser, gateway.url);
    visitor.page.setDefaultTimeout(30_000);
    await visitor.page.addInitScript(`localStorage.setItem("genway.account", ${JSON.stringify(account)})`);
    await visitor.open("/");
    await enter(visitor, key);
    return visitor;
  }

  async function goTo(visitor: ConsolePage, path: string): Promise<void> {
    await visitor.open(path);
    await settled(visitor.page);
  }

  /** Presses the button; answers where the table came from, and its rows by their heads. */
  async function download(page: Page): Promise<{ url: URL; name: string; rows: Record<string, string>[] }> {
    const begun = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    const saved = await begun;
    return { url: new URL(saved.url()), name: saved.suggestedFilename(), rows: recordsOf(await readFile(await saved.path(), "utf8")) };
  }

  const figure = (page: Page, name: string) =>
    page
      .getByRole("term")
      .filter({ hasText: new RegExp(`^${name}$`) })
      .locator("..")
      .locator("[title^='$']")
      .first();
  const exact = (usd: unknown) =>
    `$${Number(usd)
      .toFixed(9)
      .replace(/(\.\d\d\d*?)0+$/, "$1")}`;

  test("the usage that is downloaded is what the operation answers, row by row", async () => {
    await eventually(async () => {
      const { body } = await client.get<Usage>("/v1/usage");
      return (body.series[0]?.total["requests"] ?? 0) >= 7;
    });
    for (const [visitor, path] of [
      [operator, "/usage?by=model"],
      [owner, "/usage?by=outcome&range=1h"],
    ] as const) {
      await goTo(visitor, path);
      const { url, name, rows } = await download(visitor.page);
      assert.equal(name, "usage.csv");
      url.searchParams.delete("format");
      const asked = url.pathname + url.search;
      const usage =
        visitor === owner ? (await client.get<Usage>(asked)).body : ((await gateway.admin("GET", asked)).body as unknown as Usage);
      const told = usage.series.flatMap((series) => series.points.map((point) => textsOf({ name: series.name, ...point })));
      assert.ok(told.length > 20 && usage.series.length >= 2, asked);
      assert.deepEqual(rows, told);
      const requests = usage.series.reduce((sum, { total }) => sum + (total["requests"] ?? 0), 0);
      assert.equal(
        await visitor.page
          .getByRole("term")
          .filter({ hasText: /^Requests$/ })
          .locator("..")
          .locator("[title]")
          .first()
          .getAttribute("title"),
        String(requests),
      );
      await visitor.inspect(path);
    }
  });

  test("the ledger that is downloaded is what the operation answers, and ends in the balance that is shown", async () => {
    const notEntered = "Calls of the last minutes, entered soon:";
    await goTo(owner, "/money");
    await owner.page.getByText(notEntered).waitFor();
    // Calls are posted by the minute, when no more can come into it.
    await eventually(
      async () => {
        clock.advance(30_000);
        const { body } = await client.get<{ data: LedgerRow[] }>("/v1/ledger?limit=1");
        const balance = await client.get<{ available_usd: number }>("/v1/balance");
        return body.data[0]?.["balance_usd"] === balance.body.available_usd;
      },
      { everyMs: 200, what: "the charges" },
    );
    for (const visitor of [operator, owner]) {
      await goTo(visitor, "/money");
      const { page } = visitor;
      const { rows } = await download(page);
      const { body } = await client.get<{ data: LedgerRow[] }>("/v1/ledger?limit=100");
      assert.deepEqual(new Set(body.data.map(({ kind }) => kind)), new Set(["charge", "credit", "hold", "settle"]));
      assert.deepEqual(rows, body.data.map(textsOf));
      let balance = 0;
      for (const row of rows.toReversed()) {
        balance = Math.round((balance + Number(row["amount_usd"])) * 1e9) / 1e9;
        assert.equal(Number(row["balance_usd"]), balance);
      }
      assert.equal(await figure(page, "Available").getAttribute("title"), exact(balance));
      const shown = page.getByRole("table", { name: "Ledger" }).getByRole("row");
      assert.equal(await shown.count(), rows.length + 1);
      for (const [at, row] of rows.entries())
        assert.equal(
          await shown
            .nth(at + 1)
            .getByRole("cell")
            .last()
            .locator("[title]")
            .getAttribute("title"),
          exact(row["balance_usd"]),
        );
      assert.equal(await page.getByText(notEntered).count(), 0);
      assert.ok((await page.getByRole("table", { name: "Ledger" }).innerText()).includes(`an invoice, "number 7"`));
      await visitor.inspect("the ledger");
    }
  });

  test("a budget is set, and when it is reached those who look are told", async () => {
    const { page } = operator;
    await goTo(operator, "/money");
    await page.getByText("No monthly budget is set.").waitFor();
    await page.getByRole("button", { name: "Set budget" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Monthly budget in US dollars").fill("0.02");
    await dialog.getByLabel("Tell at (per cent)").fill("150, much");
    await dialog.getByText("One to ten whole numbers from 1 to 1000.").waitFor();
    await dialog.getByLabel("Tell at (per cent)").fill("100, 150");
    await operator.inspect("the dialog of a budget");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Alerts at 100 % ($0.02), 150 % ($0.03)").waitFor();
    await page.getByText("No alerts so far.").waitFor();
    await spend();
    await eventually(
      async () => {
        clock.advance(30_000);
        return (await client.get<{ data: unknown[] }>("/v1/alerts")).body.data.length > 0;
      },
      { everyMs: 100, what: "an alert" },
    );
    for (const visitor of [operator, owner]) {
      await goTo(visitor, "/money");
      const told = visitor.page.getByRole("listitem").filter({ hasText: "Budget" });
      await shows(told.first(), /100 %.*budget|budget.*100 %/i);
      await visitor.page.getByRole("meter", { name: "This month" }).first().waitFor();
      await visitor.inspect("a budget that is reached");
    }
    await goTo(operator, "/tasks");
    const matter = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem").filter({ hasText: "Alert" });
    await shows(matter.first(), /customer 0\.\d+/);
    await matter.first().getByRole("link", { name: "Look into it" }).click();
    await page.getByRole("heading", { level: 1, name: /^customer/ }).waitFor();
  });
});

/** The rows of a table as RFC 4180 writes them, by the names in its first one. */
function recordsOf(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ",") rows.push([]);
  }
  const [names = [], ...lines] = rows.filter((row) => row.length > 0);
  return lines.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])));
}

/** A record as a table writes it. */
function textsOf(record: Record<string, string | number | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value === null ? "" : String(value)]));
}
