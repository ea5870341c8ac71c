import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { settled, shows, withoutBrowser } from "./bench.ts";
import type { ConsolePage } from "./console-page.ts";
import { startLabBench, type LabBench } from "./lab-bench.ts";
import { formOf } from "./playground-steps.ts";

suite("tasks and what they made", { skip: withoutBrowser }, () => {
  let bench: LabBench;
  let receiver: Receiver;
  let visitor: ConsolePage;
  let page: Page;
  before(async () => {
    receiver = await startReceiver();
    const types = ["runway", "suno-relay", "midjourney-proxy"];
    bench = await startLabBench({ types, env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
    visitor = await bench.visit();
    page = visitor.page;
  });
  after(async () => {
    await bench?.end();
    await receiver?.close();
  });

  async function film(prompt: string): Promise<string> {
    const { status, body, text } = await bench.client.post<{ id: string }>("/custom_video/model/gen4.5", { prompt, duration: 5 });
    assert.equal(status, 200, text);
    return body.id;
  }

  async function song(body: object): Promise<string> {
    const { body: made, text } = await bench.client.post<{ task_id: string }>("/musicA/submit/music", body);
    assert.ok(made.task_id, text);
    await bench.reach(made.task_id, "SUCCESS");
    return made.task_id;
  }

  async function picture(way: string, body: object): Promise<string> {
    const { body: made, text } = await bench.client.post<{ code: number; result: string }>(`/mj/submit/${way}`, body);
    assert.equal(made.code, 1, text);
    await bench.reach(made.result, "SUCCESS");
    return made.result;
  }

  const isAt = (id: string) => page.waitForURL((url) => url.pathname.endsWith(`/tasks/${id}`));
  const dialog = (name: string | RegExp): Locator => page.getByRole("dialog", { name });

  test("a browser that knows of no network still asks a service that may be on its own machine", async () => {
    const offline = await bench.visit();
    await offline.page.evaluate(`window.dispatchEvent(new Event("offline"))`);
    await offline.page.getByRole("link", { name: "Tasks", exact: true }).click();
    await offline.page.getByText("No tasks yet").waitFor();
    await offline.close();
  });

  test("a task that arrives is seen at once, and stopped by whoever looks", async () => {
    await bench.goTo(visitor, "/tasks");
    await page.getByText("No tasks yet").waitFor();
    const id = await film("a slow ship [lab:seconds=600]");
    const row = page.getByRole("row").filter({ hasText: "a slow ship" });
    await row.getByRole("link").click();
    await isAt(id);
    await bench.sent(id);
    await settled(page);
    await page.getByRole("button", { name: "Cancel task" }).click();
    const asks = dialog("Cancel this task?");
    await visitor.inspect("the question before a cancel");
    await asks.getByRole("button", { name: "Cancel task" }).click();
    await page.getByText(/^The task was cancelled;/).waitFor();
    await page.getByRole("main").getByText("Failed", { exact: true }).first().waitFor();
    assert.equal((await bench.client.get<{ status: string }>(`/v1/tasks/${id}`)).body.status, "FAILURE");
    await page.getByRole("region", { name: "Timeline" }).getByText("Stopped, because the task was cancelled").waitFor();
    await visitor.inspect("a cancelled task");

    await page.getByRole("button", { name: "Retry as new" }).click();
    await page.getByText("A new task with the same request was started.").waitFor();
    await page.waitForURL((url) => /\/tasks\/[\w-]+$/.test(url.pathname) && !url.pathname.endsWith(id));
    const again = page.url().split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "Cancel task" }).waitFor();
    const requests = await Promise.all(
      [id, again].map(async (each) => (await bench.client.get<{ request: unknown }>(`/v1/tasks/${each}`)).body.request),
    );
    assert.deepEqual(requests[0], requests[1]);
    await bench.sent(again);
    assert.equal((await bench.client.post(`/v1/tasks/${again}/cancel`)).status, 200);
  });

  test("what goes on from a picture and from a song is drawn as a tree, by which one goes from one to the other", async () => {
    const grid = await picture("imagine", { prompt: "a lighthouse" });
    const large = await picture("change", { action: "UPSCALE", index: 1, taskId: grid });
    const varied = await picture("change", { action: "VARIATION", index: 1, taskId: grid });
    await bench.goTo(visitor, `/tasks/${large}`);
    const tree = page.getByRole("region", { name: "Lineage" });
    await tree.waitFor();
    const members = async () =>
      tree
        .getByRole("link")
        .evaluateAll((links: { getAttribute(name: string): string | null; ariaCurrent: string | null }[]) =>
          links.map((link) => [link.getAttribute("href")?.split("/").at(-1), link.ariaCurrent]),
        );
    assert.deepEqual(await members(), [
      [grid, null],
      [large, "true"],
      [varied, null],
    ]);
    const branches = tree.getByRole("listitem").first().getByRole("listitem");
    assert.equal(await branches.count(), 2, "both hang on the first");
    await shows(branches.nth(0), /Upscaled from/);
    await shows(branches.nth(1), /Varied from/);
    await visitor.inspect("a tree of pictures");
    await branches.nth(1).getByRole("link").click();
    await isAt(varied);
    await tree.getByRole("link").first().click();
    await isAt(grid);

    const first = await song({ gpt_description_prompt: "rain on a tin roof" });
    const { body } = await bench.client.get<{ result: { songs: { id: string }[] } }>(`/v1/tasks/${first}`);
    const next = await song({ continue_clip_id: body.result.songs[0]?.id, prompt: "and then sun" });
    await bench.goTo(visitor, `/gallery?task=${next}`);
    await shows(tree, /Continued from/);
    await tree.getByRole("link").first().click();
    await page.waitForURL((url) => url.searchParams.get("task") === first);
    await visitor.inspect("a song with what goes on from it");
  });

  test("a task is run again with changes in the playground", async () => {
    const id = await film("a tall ship in fog");
    await bench.reach(id, "SUCCESS");
    await bench.goTo(visitor, `/tasks/${id}`);
    await page.getByRole("button", { name: "Run with changes" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/console/playground/video") && url.search === "");
    const prompt = formOf(page).getByRole("textbox").first();
    await eventually(async () => (await prompt.inputValue()) === "a tall ship in fog", { what: "the prompt in the form" });
    await prompt.fill("a tall ship at night");
    await formOf(page).locator(".quote:not(.quote--old)").waitFor();
    await formOf(page)
      .getByRole("button", { name: /Make the video/ })
      .click();
    const made = await eventually(async () => {
      const { body } = await bench.client.get<{ data: { id: string; prompt: string; model: string }[] }>("/v1/tasks?limit=1");
      return body.data[0]?.prompt === "a tall ship at night" && body.data[0];
    });
    assert.equal(made.model, "gen4.5");
    await bench.reach(made.id, "SUCCESS");
    await page.getByRole("region", { name: "Results" }).getByRole("article").locator("video").waitFor();
    await visitor.inspect("the playground after a run with changes");
  });

  test("what is deleted is gone from the gallery", async () => {
    await bench.goTo(visitor, "/gallery");
    const card = page.getByRole("button", { name: "Open: a tall ship in fog" });
    await card.click();
    const open = dialog("a tall ship in fog");
    const id = new URL(page.url()).searchParams.get("task") ?? "";
    await open.getByRole("button", { name: "Delete" }).click();
    const asks = dialog("Delete this task?");
    await visitor.inspect("the question before a task is deleted");
    await asks.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The task and its files were deleted.").waitFor();
    await open.waitFor({ state: "detached" });
    assert.equal(await card.count(), 0);
    assert.equal(await page.getByRole("button", { name: "Open: a tall ship at night" }).count(), 1);
    assert.equal((await bench.client.get(`/v1/tasks/${id}`)).status, 404);
    await visitor.inspect("the gallery");
  });

  test("a webhook's message is shown as it was sent, and sent again", async () => {
    const url = `${receiver.url}/told`;
    const { body: hook } = await bench.client.post<{ id: string }>("/v1/webhooks", { url, events: ["task.succeeded"] });
    const id = await picture("imagine", { prompt: "a <b>bold</b> ship <img src=x onerror=alert(1)>" });
    const sent = await receiver.next("/told");
    await bench.goTo(visitor, "/webhooks");
    await page.getByRole("table").getByRole("link", { name: url }).click();
    await page.waitForURL((place) => place.pathname.endsWith(`/webhooks/${hook.id}`));
    const row = page.getByRole("table", { name: "Deliveries" }).getByRole("row").filter({ hasText: "task.succeeded" });
    await row.getByText("Delivered").first().waitFor();
    await row.getByRole("button", { name: "task.succeeded" }).click();
    const shown = dialog("What was sent");
    const text = await shown.locator("code, pre").first().innerText();
    assert.deepEqual(JSON.parse(text), sent.body);
    assert.match(text, /<img src=x onerror=alert\(1\)>/);
    await visitor.inspect("the body of a message");
    await shown.getByRole("button", { name: "Close" }).click();
    await row.getByRole("button", { name: "Send again" }).click();
    await page.getByText("It is sent again.").waitFor();
    await eventually(() => receiver.at("/told").length === 2, { what: "the message again" });

    await bench.goTo(visitor, `/tasks/${id}`);
    const step = page.getByRole("region", { name: "Timeline" }).getByRole("listitem").filter({ hasText: "Webhook task.succeeded" });
    await step.getByText("Webhook task.succeeded: delivered").waitFor();
    await step.getByRole("button", { name: "Send again" }).click();
    await eventually(() => receiver.at("/told").length === 3, { what: "the message for the third time" });
    assert.equal(new Set(receiver.at("/told").map(({ headers }) => headers["webhook-id"])).size, 1, "one message, three times");
    assert.deepEqual(receiver.at("/told")[2]?.body, sent.body);
    const told = /: delivered[^]*1 try\s+Answered 200/;
    await eventually(async () => told.test(await step.innerText()), { what: "the answer to it" });
    await visitor.inspect("a task whose end was told");
  });
});
