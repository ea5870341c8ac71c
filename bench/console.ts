/** How soon the console can be used, on loopback with an empty cache: `node run.mjs bench/console.ts [--rounds 7]`. Needs a Chromium. */
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { findChromium, openBrowser } from "../test/support/chromium.ts";
import { percentile, startService } from "./service.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "7" } } });
if (findChromium() === null) throw new Error("no Chromium on this machine; name one with CHROMIUM=<path>");
const service = await startService(null);
const browser = await openBrowser();
try {
  const rounds: { paint: number; usable: number; scripts: number }[] = [];
  // The first one warms the service and the browser up.
  for (let round = 0; round <= Number(values.rounds); round++) rounds.push(await visit());
  rounds.shift();
  const told = (name: "paint" | "usable") => {
    const times = rounds.map((each) => each[name]).sort((a, b) => a - b);
    return `median ${percentile(times, 0.5).toFixed(0)} ms, from ${times[0]?.toFixed(0)} to ${times.at(-1)?.toFixed(0)} ms`;
  };
  console.log(`first paint          ${told("paint")}`);
  console.log(`the button works     ${told("usable")}`);
  console.log(`script, gzipped      ${rounds[0]?.scripts} bytes`);
} finally {
  await browser.close();
  await service.stop();
}

/** Opens the first page as somebody who was never here; the times count from the moment it is asked for. */
async function visit(): Promise<{ paint: number; usable: number; scripts: number }> {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") bodies.push(response.body());
  });
  // Looked for at every frame, in the page itself: whoever waits from outside looks twice a second.
  await page.addInitScript(`requestAnimationFrame(function look() {
    if (document.querySelector("button[type=submit]:not([disabled])")) window.usableAt = performance.now();
    else requestAnimationFrame(look);
  })`);
  await page.goto(`${service.url}/console/`, { waitUntil: "commit" });
  await page.locator("button[type=submit]:not([disabled])").first().waitFor();
  const usable = await page.evaluate<number>("window.usableAt");
  const paint = await page.evaluate<number>(`performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`);
  const scripts = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  await context.close();
  return { paint, usable, scripts };
}
