import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Browser, Locator } from "playwright-core";
import { openBrowser } from "../support/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { settled, shows, withoutBrowser } from "./bench.ts";
import { openConsole, type ConsolePage } from "./console-page.ts";
import { enter } from "./lab-bench.ts";

const file = `models:
  talk: { kinds: [chat], routes: [{ provider: local }], price: free }
  vectors: { kinds: [embedding], routes: [{ provider: local }], price: free }
local: true
`;

suite("a key in the console", { skip: withoutBrowser }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let visitor: ConsolePage;
  let key = "";
  before(async () => {
    gateway = await startGateway({ console: true, yaml: file });
    browser = await openBrowser();
    visitor = await openConsole(browser, gateway.url);
    visitor.page.setDefaultTimeout(30_000);
    await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await visitor.open("/accounts");
    await enter(visitor, gateway.adminKey ?? "");
  });
  after(async () => {
    await browser?.close();
    await gateway?.end();
  });

  const calls = {
    talk: ["/v1/chat/completions", { model: "talk", messages: [{ role: "user", content: "hello" }] }],
    vectors: ["/v1/embeddings", { model: "vectors", input: "hello" }],
  } as const;

  async function statusOf(what: keyof typeof calls, shown = key): Promise<number> {
    const [path, body] = calls[what];
    const headers = { authorization: `Bearer ${shown}`, "content-type": "application/json" };
    const reply = await fetch(gateway.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    await reply.arrayBuffer();
    return reply.status;
  }

  const becomes = (what: keyof typeof calls, status: number, shown = key) =>
    eventually(async () => (await statusOf(what, shown)) === status, { everyMs: 100, what: `status ${status}` });

  const card = (): Locator => visitor.page.getByRole("listitem").filter({ hasText: "of the shop" });

  /** Takes the text of a key from the dialog that shows it, the way a person does. */
  async function take(): Promise<string> {
    const { page } = visitor;
    const dialog = page.getByRole("dialog", { name: "Your new key" });
    await dialog.getByRole("button", { name: "Copy", exact: true }).first().click();
    await dialog.getByRole("button", { name: "Copied" }).first().waitFor();
    const text = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(text, /^gw_\w+/);
    assert.ok((await dialog.innerText()).includes(text));
    await page.keyboard.press("Escape");
    await dialog.getByText("It will not be shown again.").waitFor();
    await visitor.inspect("the dialog with a new key");
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.ok(!(await page.content()).includes(text), "nowhere else");
    return text;
  }

  async function confirm(act: string): Promise<void> {
    await card().getByRole("button", { name: act, exact: true }).click();
    const dialog = visitor.page.getByRole("dialog");
    await dialog.getByRole("button", { name: act, exact: true }).click();
  }

  test("an account is made with credit, and a key for it that is shown once", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "New account" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("The shop");
    await page.getByRole("dialog").getByLabel("First credit in US dollars").fill("3");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "The shop" }).waitFor();
    await settled(page);
    await page.getByRole("button", { name: "New key" }).first().click();
    const form = page.getByRole("dialog", { name: "New key" });
    await form.getByLabel("Name", { exact: true }).fill("of the shop");
    await form.getByLabel("Requests a minute").fill("1");
    await form.getByRole("switch", { name: "All operations" }).uncheck();
    for (const scope of await form.getByRole("checkbox").all())
      if ((await scope.evaluate((box: { parentElement: { innerText: string } }) => box.parentElement.innerText)) !== "chat")
        await scope.uncheck();
    await visitor.inspect("the form for a key");
    await form.getByRole("button", { name: "Create key" }).click();
    key = await take();
    await shows(card(), new RegExp(`…${key.slice(-4)}[^]*Active[^]*1 operation group[^]*1 requests/min`));
  });

  test("it is good for what it was made for, and for that much of it", async () => {
    assert.equal(await statusOf("vectors"), 403, "not its operations");
    assert.equal(await statusOf("talk"), 200);
    assert.equal(await statusOf("talk"), 429, "one a minute");
  });

  test("its limits are changed, and hold at once", async () => {
    const { page } = visitor;
    await card().getByRole("button", { name: "Limits" }).click();
    const form = page.getByRole("dialog", { name: "Limits of “of the shop”" });
    assert.equal(await form.getByLabel("Requests a minute").inputValue(), "1");
    assert.equal(await form.getByRole("checkbox", { checked: true }).count(), 1);
    await form.getByLabel("Requests a minute").fill("600");
    await form.getByRole("switch", { name: "All operations" }).check();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await card().getByText("600 requests/min").waitFor();
    await becomes("talk", 200);
    await becomes("vectors", 200);
  });

  test("rotated, it has another text, and the old one is worth nothing", async () => {
    const old = key;
    await confirm("Rotate");
    key = await take();
    assert.notEqual(key, old);
    await becomes("talk", 401, old);
    assert.equal(await statusOf("talk"), 200);
    await card()
      .getByText(`…${key.slice(-4)}`)
      .waitFor();
  });

  test("revoked, it is refused within five seconds, and still listed", async () => {
    const { page } = visitor;
    await confirm("Revoke");
    await page.getByText("The key was revoked.").waitFor();
    await becomes("talk", 401);
    assert.equal(await card().count(), 0);
    await page.getByRole("button", { name: "Show 1 revoked key" }).click();
    await card().getByText("Revoked").waitFor();
    assert.equal(await card().getByRole("button").count(), 0);
    await visitor.inspect("an account with a revoked key");
  });

  test("all of it stands in the audit log, with who did it", async () => {
    const { page } = visitor;
    await page.getByRole("navigation", { name: "Sections" }).first().getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
    await settled(page);
    const cells = await page.getByRole("table", { name: "Audit log" }).getByRole("row").all();
    const acts = await Promise.all(cells.slice(1).map((row) => row.getByRole("cell").allInnerTexts()));
    assert.deepEqual(
      acts.slice(0, 5).map(([, actor, act]) => `${actor} ${act}`),
      ["admin key.revoke", "admin key.rotate", "admin key.update", "admin key.create", "admin account.create"],
    );
    assert.ok(acts.slice(0, 5).every((row) => !row.join(" ").includes(key)));
    await visitor.inspect("the audit log");
  });
});
