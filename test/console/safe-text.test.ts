import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { findChromium, openBrowser } from "../support/chromium.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { startReceiver } from "../support/receiver.ts";
import { openConsole, type ConsolePage } from "./console-page.ts";

const skip = findChromium() === null ? "no Chromium on this machine" : false;
const { gateway, client, account, reach, end } = await startLabGateway({
  console: true,
  types: ["suno-relay", "runway"],
  env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" },
});
const receiver = await startReceiver();
let browser: Browser | undefined;
let tab: ConsolePage | undefined;
before(async () => {
  if (skip === false) browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await end();
  await receiver.close();
});

/** Texts that would run if any page took one for more than text. */
const corpus = [
  `<script>window.pwned = 1</script>`,
  `<img src=x onerror="window.pwned = 1">`,
  `"><svg onload=window.pwned=1>`,
  `javascript:window.pwned=1`,
  `</textarea><iframe srcdoc="<script>parent.pwned=1</script>">`,
  `{{constructor.constructor('window.pwned=1')()}}`,
  "`${window.pwned=1}`",
  `<a href="data:text/html,<script>opener.pwned=1</script>">x</a>`,
  `\u202egnp.exe <b>bold</b> &lt;i&gt;`,
];
const all = corpus.join(" ");

async function filled(): Promise<string[]> {
  const hook = await client.post<{ id: string }>("/v1/webhooks", { url: `${receiver.url}/news` });
  const song = await client.post<{ task_id: string }>("/musicA/submit/music", {
    prompt: all,
    title: corpus[1],
    tags: corpus[2],
    mv: "chirp-v4",
  });
  const failing = await client.post<{ id: string }>("/custom_video/model/gen4.5", {
    prompt: `${all} [lab:fail=${encodeURIComponent(corpus[1] ?? "")}]`,
    duration: 5,
  });
  assert.deepEqual([song.status, failing.status], [200, 200], song.text + failing.text);
  await reach(song.body.task_id, "SUCCESS", "FAILURE");
  await reach(failing.body.id, "SUCCESS", "FAILURE");
  await gateway.admin("POST", "/admin/v1/keys", { account, name: corpus[0] });
  await gateway.admin("POST", "/admin/v1/accounts", { name: corpus[1], credit_usd: 1 });
  await gateway.admin("POST", "/admin/v1/credits", { account, amount_usd: 1, note: corpus[2] });
  const inspired = await client.post<{ task_id: string }>("/musicA/submit/music", { gpt_description_prompt: corpus[1], mv: "chirp-v4" });
  await reach(inspired.body.task_id, "SUCCESS");
  await receiver.next("/news", ({ text }) => text.includes("window.pwned"));
  return [song.body.task_id, failing.body.id, hook.body.id];
}

test("whatever clients, upstreams and operators write is shown as text on every page", { skip, timeout: 180_000 }, async () => {
  const [song = "", failing = "", hook = ""] = await filled();
  assert.ok(browser);
  tab = await openConsole(browser, gateway.url);
  const { page } = tab;
  page.on("dialog", (dialog) => assert.fail(`a page opened a dialog: ${dialog.message()}`));
  await tab.open("/");
  await page.getByLabel("Key").fill(gateway.adminKey ?? "");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation").first().waitFor();
  await page.evaluate(`localStorage.setItem("genway.account", ${JSON.stringify(account)})`);
  const seen = new Map<string, string>();
  for (const path of [
    "/tasks",
    `/tasks/${song}`,
    `/tasks/${failing}`,
    "/gallery",
    "/accounts",
    `/accounts/${account}`,
    "/money",
    "/audit",
    "/webhooks",
    "/usage",
    "/providers",
    `/playground/music/custom?from=${song}`,
  ]) {
    await tab.open(path);
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate("window.pwned"), undefined, path);
    assert.equal(
      await page.evaluate(`document.querySelectorAll("script:not([src]), iframe, [onerror], [onload], a[href^='javascript:']").length`),
      0,
      path,
    );
    seen.set(
      path,
      await page.evaluate<string>(
        "document.body.innerText + [...document.querySelectorAll('textarea, input')].map((field) => field.value).join('\\n')",
      ),
    );
    await tab.inspect(path);
  }
  for (const [path, text] of [
    [`/tasks/${song}`, corpus[0]],
    [`/tasks/${failing}`, corpus[0]],
    [`/accounts/${account}`, corpus[0]],
    ["/accounts", corpus[1]],
    ["/money", corpus[2]],
  ] as const)
    assert.ok(seen.get(path)?.includes(text ?? ""), `${path} does not show ${text} as it is: ${seen.get(path)}`);

  await tab.open(`/webhooks/${hook}`);
  await page.getByRole("button", { name: "task.succeeded" }).first().click();
  await page.getByRole("dialog").getByText("window.pwned = 1").first().waitFor();
  assert.equal(await page.evaluate("window.pwned"), undefined);
  await tab.inspect("what was sent to a webhook");
});

test("the page allows no inline script, no frame and nothing from elsewhere", { skip }, async () => {
  const reply = await fetch(`${gateway.url}/console/`);
  const policy = reply.headers.get("content-security-policy") ?? "";
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(reply.headers.get("x-frame-options"), "DENY");
  const html = await reply.text();
  assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  for (const [, link = ""] of html.matchAll(/(?:src|href)="([^"]+)"/g)) assert.match(link, /^\/console\//);
});

test("another site cannot put the console into a frame", { skip }, async () => {
  assert.ok(browser);
  const page = await browser.newPage();
  await page.setContent(`<iframe src="${gateway.url}/console/"></iframe>`);
  await page.waitForTimeout(800);
  const inner = await page
    .frames()[1]
    ?.evaluate("document.body?.innerText ?? ''")
    .catch(() => "");
  assert.doesNotMatch(String(inner), /Genway|Sign in/);
  await page.close();
});
