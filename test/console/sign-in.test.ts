import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/chromium.ts";
import { createClient } from "../support/client.ts";
import { freePort } from "../support/free-port.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { settled, shows, withoutBrowser } from "./bench.ts";
import { openConsole, type ConsolePage } from "./console-page.ts";
import { startIdentityProvider, type IdentityProvider } from "./identity-provider.ts";
import { enter } from "./lab-bench.ts";

const fileFor = (url: string, issuer: string) => `models:
  lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: free }
local: true
server: { public_url: "${url}" }
console:
  oidc:
    issuer: ${issuer}
    client_id: genway
    client_secret: \${OIDC_SECRET}
    label: Sign in with the test
    operators: [admins]
    viewers: [readers]
`;

suite("signing in to the console", { skip: withoutBrowser }, () => {
  let gateway: TestGateway;
  let people: IdentityProvider;
  let browser: Browser;
  let own: { account: string; key: string };
  let foreignTask = "";
  before(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    people = await startIdentityProvider("genway", "a secret of both", `${url}/console/oidc/callback`);
    const env = { PORT: String(port), OIDC_SECRET: "a secret of both" };
    gateway = await startGateway({ console: true, env, yaml: fileFor(url, people.issuer) });
    own = await gateway.customer(5);
    foreignTask = await write((await gateway.customer(5)).key, "a kite of somebody else");
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gateway?.end();
    people?.close();
  });

  async function write(key: string, prompt: string): Promise<string> {
    const client = createClient(gateway.url, key);
    const { status, text } = await client.post("/musicA/submit/lyrics", { prompt }, { headers: { prefer: "wait=30" } });
    assert.equal(status, 200, text);
    const { body } = await client.get<{ data: { id: string }[] }>("/v1/tasks?limit=1");
    return body.data[0]?.id ?? "";
  }

  async function visit(): Promise<ConsolePage> {
    const visitor = await openConsole(browser, gateway.url);
    visitor.page.setDefaultTimeout(30_000);
    return visitor;
  }

  const sections = (page: Page) => page.getByRole("navigation", { name: "Sections" }).first();

  test("a wrong key is refused with a sentence at the field, the admin key opens the operator's view, and signing out closes it", async () => {
    const visitor = await visit();
    const { page } = visitor;
    visitor.expectStatus(401);
    await visitor.open("/accounts");
    const field = page.getByLabel("Key", { exact: true });
    assert.equal(await field.getAttribute("type"), "password");
    await field.fill(`${gateway.adminKey}x`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("This key is not known here.").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    const says = await field.getAttribute("aria-describedby");
    assert.equal(await page.locator(`[id="${says}"]`).innerText(), "This key is not known here.");
    await visitor.inspect("the sign-in page with a refusal");

    await enter(visitor, gateway.adminKey ?? "");
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    assert.ok(await sections(page).getByText("Operate", { exact: true }).isVisible());
    await settled(page);
    await visitor.inspect("the operator's view");
    assert.doesNotMatch(JSON.stringify(await page.evaluate("({ ...localStorage, ...sessionStorage })")), /gwa_/);

    await page.getByRole("button", { name: /Signed in as operator/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await field.waitFor();
    assert.equal(await page.getByText("Your session has ended").count(), 0, "it was meant to end");
    assert.equal((await visitor.context.cookies()).filter(({ name, value }) => name === "genway_session" && value !== "").length, 0);
    await visitor.open("/accounts");
    await field.waitFor();
    await visitor.close();
  });

  test("a client key shows its own account and nothing of others", async () => {
    const visitor = await visit();
    const { page } = visitor;
    visitor.expectStatus(404);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const task = await write(own.key, "a kite of my own");
    await visitor.open("/");
    await enter(visitor, own.key);
    assert.equal(await sections(page).getByText("Operate", { exact: true }).count(), 0);
    const names = await sections(page).getByRole("link").allInnerTexts();
    assert.ok(!names.some((name) => /Accounts|Providers|Models|Audit|System/.test(name)), names.join());

    await sections(page).getByRole("link", { name: "Tasks", exact: true }).click();
    const listed = (id: string) => page.getByRole("row").locator(`a[href$="/tasks/${id}"]`);
    await listed(task).waitFor();
    assert.equal(await listed(foreignTask).count(), 0);
    await visitor.inspect("the tasks of a client");
    await visitor.open(`/tasks/${task}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await shows(page.getByRole("main"), /a kite of my own/);

    await visitor.open(`/tasks/${foreignTask}`);
    await page
      .getByRole("alert")
      .getByText(/task_not_found/)
      .waitFor();
    assert.doesNotMatch(await page.locator("body").innerText(), /somebody else/);
    for (const path of ["/accounts", "/providers", "/audit", "/system", "/models"]) {
      await visitor.open(path);
      await page.getByText("There is no such page.").waitFor();
    }
    for (const path of ["/gallery", "/usage", "/money", "/webhooks"]) {
      await visitor.open(path);
      await settled(page);
    }
    assert.deepEqual(
      asked.filter((path) => path.startsWith("/admin")),
      [],
    );
    await visitor.inspect("the client's view");
    await visitor.close();
  });

  test("whose key was revoked meanwhile is led back to the sign-in page with a word", async () => {
    const visitor = await visit();
    const { page } = visitor;
    visitor.expectStatus(401);
    const { body } = await gateway.admin("POST", "/admin/v1/keys", { account: own.account, name: "short" });
    await visitor.open("/gallery");
    await enter(visitor, String(body["key"]));
    await settled(page);
    await gateway.admin("DELETE", `/admin/v1/keys/${String(body["id"])}`);
    await sections(page).getByRole("link", { name: "Money", exact: true }).click();
    await page.getByText("Your session has ended. Please sign in again.").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.equal(await sections(page).count(), 0);
    await visitor.inspect("the sign-in page after the end of a session");
    await enter(visitor, own.key);
    await page.getByRole("heading", { level: 1, name: "Money" }).waitFor();
    await visitor.close();
  });

  /** Through the pages of the identity provider in a tab of its own, as somebody does who types a name there; answers where that ends. */
  async function arrive({ context }: ConsolePage, person: string): Promise<string> {
    const page = await context.newPage();
    await page.goto(`${gateway.url}/console/`);
    await page.getByRole("link", { name: "Sign in with the test" }).click();
    await page.locator("input[name=login]").fill(person);
    await page.locator("input[name=password]").fill("any");
    await page.getByRole("button", { name: /sign-in/i }).click();
    await page.getByRole("button", { name: /continue/i }).click();
    await page.waitForURL(`${gateway.url}/console/**`);
    await page
      .getByText(/Operate|You are known/)
      .first()
      .waitFor();
    const address = page.url().slice(`${gateway.url}/console`.length);
    await page.close();
    return address;
  }

  test("a viewer of the identity provider sees everything and can change nothing", async () => {
    people.groups.set("ben", ["readers"]);
    const visitor = await visit();
    const { page } = visitor;
    await visitor.open(await arrive(visitor, "ben"));
    await sections(page).getByText("Operate", { exact: true }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => request.method() !== "GET" && asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    for (const [path, acts] of [
      ["/accounts", /New account/],
      [`/accounts/${own.account}`, /New key|Rename|Freeze|Add credit|Set budget|Limits|Rotate|Revoke/],
      ["/providers", /Switch off|Test/],
      ["/money", /Add credit|Set budget/],
      ["/webhooks", /New webhook|Secret for/],
      [`/tasks/${foreignTask}`, /Cancel|Retry|Delete|Run with changes/],
    ] as const) {
      await visitor.open(path);
      await settled(page);
      assert.deepEqual(await page.getByRole("button", { name: acts }).allInnerTexts(), [], path);
      await visitor.inspect(`${path} as a viewer`);
    }
    await shows(page.getByRole("main"), /a kite of somebody else/);
    assert.deepEqual(asked, []);
    await page.getByRole("button", { name: "ben@people.example · Signed in as viewer" }).waitFor();
    await visitor.close();
  });

  test("whom the identity provider knows, but nobody let in, is told what to do", async () => {
    const visitor = await visit();
    const address = await arrive(visitor, "stranger");
    assert.equal(address, "/sign-in?problem=not_allowed");
    await visitor.open(address);
    await visitor.page.getByRole("alert").getByText("You are known, but not let in here").waitFor();
    await visitor.inspect("the sign-in page with a problem");
    await visitor.close();
  });
});
