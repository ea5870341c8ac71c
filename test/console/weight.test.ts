import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { findChromium, openBrowser } from "../support/chromium.ts";
import { startGateway } from "../support/gateway.ts";
import { openConsole } from "./console-page.ts";

const skip = findChromium() === null ? "no Chromium on this machine" : false;
const mostBytes = 200_000;

test("the first page loads at most 200 kB of gzipped script, from files that never change under their name", { skip }, async (context) => {
  const gateway = await startGateway({ console: true });
  const browser = await openBrowser();
  context.after(async () => {
    await browser.close();
    await gateway.end();
  });
  const { page, open, inspect } = await openConsole(browser, gateway.url);
  const scripts = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.add(request.url());
  });
  await open("/");
  await page.getByRole("button", { name: "Make the song" }).waitFor();
  await inspect("the first page");
  assert.ok(scripts.size > 0);
  let total = 0;
  for (const url of scripts) {
    const reply = await fetch(url);
    assert.match(reply.headers.get("cache-control") ?? "", /immutable/);
    assert.match(url, /-[\w-]{8,}\.js$/);
    total += gzipSync(Buffer.from(await reply.arrayBuffer()), { level: 9 }).length;
  }
  console.log(`first load: ${scripts.size} scripts, ${total} bytes gzipped`);
  assert.ok(total <= mostBytes, `${total} bytes of script`);
});
