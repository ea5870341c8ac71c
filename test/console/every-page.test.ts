import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import type { TaskRecord } from "../support/wire.ts";
import { goTo, patienceMs, startBench, withoutBrowser, type Bench } from "./bench.ts";
import { openConsole, type ConsolePage } from "./console-page.ts";
import { playgroundPaths, sectionPaths } from "./console-paths.ts";

suite("every page of the console", { skip: withoutBrowser }, () => {
  let bench: Bench;
  let visitor: ConsolePage;
  let receiver: Receiver;
  let places: Places;
  before(async () => {
    bench = await startBench({ GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" });
    receiver = await startReceiver();
    places = await live(bench, receiver);
    visitor = await bench.visit();
  });
  after(async () => {
    await bench?.end();
    await receiver?.close();
  });

  test("each form of the playground can be used by everybody, in light and in dark", async () => {
    for (const path of playgroundPaths) {
      await goTo(visitor, bench.gateway.url, path);
      await visitor.page.getByText("The price follows.").waitFor({ state: "detached" });
      await visitor.shoot(`form-${path.split("/").slice(2).join("-")}`);
    }
  });

  test("each section can be used by everybody, in light and in dark", async () => {
    for (const path of sectionPaths) {
      await goTo(visitor, bench.gateway.url, path);
      assert.equal(
        await visitor.page.getByRole("navigation", { name: "Sections" }).locator("[aria-current=page]").first().isVisible(),
        true,
      );
      await visitor.shoot(path.slice(1));
    }
  });

  test("so can the pages of one task, one account, one webhook, and of what is not there", async () => {
    const pages = {
      task: `/tasks/${places.task}`,
      "task-failed": `/tasks/${places.failed}`,
      account: `/accounts/${places.account}`,
      webhook: `/webhooks/${places.webhook}`,
      "not-found": "/nowhere",
    };
    for (const [name, path] of Object.entries(pages)) {
      await goTo(visitor, bench.gateway.url, path);
      await visitor.shoot(name);
    }
  });

  test("so can the page where one signs in", async () => {
    const strange = await startLabGateway({ console: true, types: ["runway"] });
    try {
      const stranger = await openConsole(bench.browser, strange.gateway.url);
      await goTo(stranger, strange.gateway.url, "/");
      await stranger.page.getByRole("button", { name: "Sign in" }).waitFor();
      await stranger.shoot("sign-in");
      await stranger.close();
    } finally {
      await strange.end();
    }
  });
});

/** What some pages are about. */
type Places = { task: string; failed: string; account: string; webhook: string };

/** A day in the life of a service: things made, one stopped, a customer, a webhook that arrives and one that does not. */
async function live({ gateway }: Bench, receiver: Receiver): Promise<Places> {
  const client = createClient(gateway.url, gateway.firstKey);
  const { body: account } = await gateway.admin("POST", "/admin/v1/accounts", { name: "Harbour Films", credit_usd: 25 });
  await gateway.admin("PATCH", `/admin/v1/accounts/${String(account["id"])}`, { monthly_budget_usd: 40 });
  await gateway.admin("POST", "/admin/v1/keys", { account: account["id"], name: "cutting room", spend_cap_usd: 10 });
  receiver.answer("/down", ...Array.from({ length: 20 }, () => 503));
  await client.post("/v1/webhooks", { url: `${receiver.url}/down`, events: ["task.failed"] });
  const { body: webhook } = await client.post<{ id: string }>("/v1/webhooks", { url: `${receiver.url}/news` });

  const stopped = await made(client, "/custom_video/model/local", { prompt: "A storm that nobody wanted", duration: 8 }, false);
  await client.post(`/v1/tasks/${stopped}/cancel`);
  await made(client, "/musicA/submit/lyrics", { prompt: "Coming home after a long journey" });
  await made(client, "/custom_video/model/local", { prompt: "A paper boat on a stream in autumn", duration: 2, aspect_ratio: "16:9" });
  const grid = await made(client, "/imageA/submit/imagine", { prompt: "A small red house in a snowy forest" });
  const task = await made(client, "/imageA/submit/change", { taskId: grid, action: "UPSCALE", index: 2 });
  await made(client, "/musicA/submit/music", { prompt: "[Verse]\nSmall rain falls\nall day long", title: "Small rain", tags: "folk" });
  await client.post("/v1/chat/completions", { model: "local", messages: [{ role: "user", content: "Hello" }], max_tokens: 8 });
  await receiver.next("/news");
  return { task, failed: stopped, account: String(account["id"]), webhook: webhook.id };
}

/** Has something made, and waits for it unless told otherwise; the task's id. */
async function made(client: Client, path: string, body: object, isAwaited = true): Promise<string> {
  const reply = await client.post<{ id?: string; task_id?: string; result?: string; data?: string }>(path, body);
  assert.equal(reply.status, 200, reply.text);
  const id = reply.body.task_id ?? reply.body.result ?? reply.body.data ?? reply.body.id ?? "";
  if (!isAwaited) return id;
  const isOver = async () => (await client.get<TaskRecord>(`/v1/tasks/${id}`)).body.status;
  await eventually(async () => (await isOver()) === "SUCCESS", { withinMs: patienceMs, everyMs: 200, what: `the end of ${path}` });
  return id;
}
