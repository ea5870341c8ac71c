import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Browser, Locator } from "playwright-core";
import { createLab, type Lab } from "../../lab/lab.ts";
import { openBrowser } from "../support/chromium.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { createTestClock } from "../support/test-clock.ts";
import { settled, shows, withoutBrowser } from "./bench.ts";
import { openConsole, type ConsolePage } from "./console-page.ts";
import { enter } from "./lab-bench.ts";

const fileFor = (lab: Lab) => {
  const at = (type: string, path: string) =>
    `{ type: ${type}, base_url: "${lab.baseUrl(path)}", keys: [lab-key], allow_private_network: true }`;
  return `providers:
  words: ${at("openai-compatible", "openai/v1")}
  films: ${at("runway", "runway")}
  spare-films: ${at("runway", "runway")}
models:
  talk: { kinds: [chat], routes: [{ provider: words }], price: free }
  gen4.5: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: films }, { provider: spare-films, priority: 1 }] }
`;
};

suite("a provider that fails", { skip: withoutBrowser }, () => {
  const clock = createTestClock();
  let lab: Lab;
  let gateway: TestGateway;
  let client: Client;
  let browser: Browser;
  let visitor: ConsolePage;
  before(async () => {
    lab = await createLab({ script: { minSeconds: 0.2, maxSeconds: 0.2, queueSeconds: 0 } });
    gateway = await startGateway({ console: true, yaml: fileFor(lab), clock: clock.now });
    client = createClient(gateway.url, (await gateway.customer(10)).key);
    browser = await openBrowser();
    visitor = await openConsole(browser, gateway.url);
    visitor.page.setDefaultTimeout(30_000);
    await visitor.open("/");
    await enter(visitor, gateway.adminKey ?? "");
  });
  after(async () => {
    await browser?.close();
    await gateway?.end();
    await lab?.close();
  });

  const ask = async () =>
    (await client.post("/v1/chat/completions", { model: "talk", messages: [{ role: "user", content: "hello" }] })).status;
  const words = (): Locator => visitor.page.getByRole("region", { name: "words", exact: true });

  async function goTo(path: string): Promise<void> {
    await visitor.open(path);
    await settled(visitor.page);
  }

  test("the page of a task tells each attempt, where it was made and why it came to nothing", async () => {
    const prompt = "a ship [lab:fail=INTERNAL.the%20renderer%20fell%20over]";
    const { body } = await client.post<{ id: string }>("/custom_video/model/gen4.5", { prompt, duration: 2 });
    await eventually(
      async () => {
        clock.advance(500);
        return (await client.get<{ status: string }>(`/v1/tasks/${body.id}`)).body.status === "FAILURE";
      },
      { withinMs: 60_000, everyMs: 100, what: "the failure" },
    );
    await goTo(`/tasks/${body.id}`);
    const { page } = visitor;
    const timeline = page.getByRole("region", { name: "Timeline" });
    const [first, second] = [/^Attempt 1: films$/, /^Attempt 2: spare-films$/].map((name) =>
      timeline.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) }),
    );
    for (const attempt of [first, second]) {
      const text = (await attempt?.innerText()) ?? "";
      assert.match(text, /gen4\.5 · key \*{4}/);
      assert.match(text, /the renderer fell over/);
      assert.match(text, /Class: transient/);
    }
    assert.equal(await timeline.getByText("It failed at the provider").count(), 2);
    await shows(timeline, /Given back\s+\$0\.20/);
    assert.equal(await page.getByRole("alert").count(), 1, "what the client is told");
    assert.doesNotMatch(await page.getByRole("alert").innerText(), /renderer|runway|films/i, "is not what the upstream said");
    assert.doesNotMatch(await page.getByRole("main").innerText(), /lab-key/);
    await visitor.inspect("a failed task");
  });

  test("an upstream in trouble is among what needs attention, and its page explains what is done about it", async () => {
    lab.change({ errorRate: 1 });
    for (let call = 0; call < 5; call++) assert.ok((await ask()) >= 500);
    // A place that keeps failing rests longer each time: long enough to be looked at.
    for (const restMs of [10_000, 20_000, 40_000]) {
      clock.advance(restMs + 1);
      assert.ok((await ask()) >= 500);
    }
    await goTo("/tasks");
    const { page } = visitor;
    const panel = page.getByRole("region", { name: "Needs attention" });
    const line = panel.getByRole("listitem").filter({ hasText: "Provider rests" });
    await shows(line, /words[^]*until[^]*Work for 'talk' with the key .* fails, and is kept away for now\./);
    await visitor.inspect("tasks with a matter that needs attention");
    await line.getByRole("link", { name: "Look into it" }).click();
    await page.getByRole("heading", { level: 1, name: "Providers" }).waitFor();
    await settled(page);
    await shows(words(), /Breaker open/);
    assert.match(
      await words().getByRole("alert").innerText(),
      /^talk with key \*{4} failed five times in half a minute\..*one call tries it again in \d/,
    );
    await shows(words().getByRole("alert"), /When it is well again, it comes back by itself\./);
    assert.doesNotMatch(await page.getByRole("main").innerText(), /lab-key/);
    assert.deepEqual(await page.getByRole("heading", { level: 2 }).first().innerText(), "words", "trouble stands first");
    await visitor.inspect("the providers, one of them resting");
  });

  test("a test shows what it answers now, and later that it is well again", async () => {
    const { page } = visitor;
    const result = (says: RegExp) => words().getByText(says).first().waitFor();
    await words().getByLabel("Test with").selectOption("talk");
    await words().getByRole("button", { name: "Test", exact: true }).click();
    await result(/^Failed$/);
    await result(/The model did not answer \(transient\)/);
    lab.change({ errorRate: 0 });
    await words().getByRole("button", { name: "Test", exact: true }).click();
    await result(/^Passed$/);
    await result(/The model 'talk' answered\./);
    assert.equal((await client.get<{ used_usd: number }>("/v1/balance")).body.used_usd, 0, "nobody paid");
    clock.advance(120_000);
    assert.equal(await ask(), 200);
    await words().getByText("On", { exact: true }).waitFor();
    assert.equal(await words().getByRole("alert").count(), 0);
    await visitor.inspect("the providers, all well");
    await goTo("/tasks");
    assert.equal(await page.getByText("Provider rests").count(), 0);
  });

  test("an operator switches it off and on again", async () => {
    const { page } = visitor;
    await goTo("/providers");
    await words().getByRole("button", { name: "Switch off" }).click();
    const dialog = page.getByRole("dialog", { name: "Switch “words” off?" });
    await dialog.getByRole("button", { name: "Switch off" }).click();
    await words().getByText("Switched off", { exact: true }).waitFor();
    assert.ok((await ask()) >= 400);
    await visitor.inspect("a provider that is switched off");
    await words().getByRole("button", { name: "Switch on" }).click();
    await words().getByText("On", { exact: true }).waitFor();
    assert.equal(await ask(), 200);
    const { body } = await gateway.admin("GET", "/admin/v1/audit?limit=2");
    assert.deepEqual(
      (body["data"] as { act: string; subject: string }[]).map(({ act, subject }) => `${act} ${subject}`),
      ["provider.on words", "provider.off words"],
    );
  });
});
