import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { suite, test } from "node:test";
import { openBrowser } from "../support/chromium.ts";
import { patienceMs, withoutBrowser } from "./bench.ts";
import { openConsole } from "./console-page.ts";
import { hear, resultsOf } from "./playground-steps.ts";

const entry = join(import.meta.dirname, "../../src/cli/genway.ts");

suite("the first song", { skip: withoutBrowser }, () => {
  test("whoever opens the console of a service never started before hears a song after one press", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "genway-first-"));
    const { GENWAY_CONFIG: _config, GENWAY_ADMIN_KEY: _admin, GENWAY_MASTER_KEY: _master, ...rest } = process.env;
    const startedAt = performance.now();
    const service = spawn(process.execPath, [entry, "start"], {
      cwd: dataDir,
      env: { ...rest, HOST: "127.0.0.1", PORT: "0", GENWAY_DATA_DIR: dataDir },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const browser = await openBrowser();
    try {
      const address = await consoleOf(service);
      const readyAt = performance.now();
      const visitor = await openConsole(browser, new URL(address).origin);
      const { page } = visitor;
      page.setDefaultTimeout(60_000);
      const openedAt = performance.now();
      await page.goto(address);
      await page.getByRole("button", { name: "Make the song" }).click();
      const pressedAt = performance.now();
      const song = resultsOf(page).getByRole("article").first();
      const player = song.locator(".player").first();
      await player.waitFor({ timeout: patienceMs });
      await player.locator("audio").evaluate(
        (it: { readyState: number; addEventListener(event: string, hear: () => void): void }) =>
          new Promise<void>((resolve) => {
            it.addEventListener("loadeddata", () => resolve());
            it.addEventListener("loadedmetadata", () => resolve());
            if (it.readyState >= 1) resolve();
          }),
      );
      const playableAt = performance.now();
      await hear(player);
      console.log(
        `the service was ready after ${seconds(startedAt, readyAt)} s; from opening the console to a song that plays: ` +
          `${seconds(openedAt, playableAt)} s, ${seconds(openedAt, pressedAt)} s of it until the button was pressed`,
      );
      assert.ok(playableAt - openedAt < 60_000, `a song within a minute, not in ${seconds(openedAt, playableAt)} s`);
      assert.ok(await song.getByRole("heading", { level: 3 }).first().innerText());
      await visitor.shoot("first-song");
    } finally {
      await browser.close();
      service.kill("SIGTERM");
      if (service.exitCode === null) await once(service, "exit");
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

function seconds(from: number, to: number): string {
  return ((to - from) / 1000).toFixed(1);
}

/** The address of the console, as the service names it when it is ready. */
async function consoleOf(service: ChildProcess): Promise<string> {
  assert.ok(service.stdout);
  for await (const line of createInterface({ input: service.stdout })) {
    const address = /(http:\S+\/console)\b/.exec(line)?.[1];
    if (address !== undefined) {
      service.stdout.resume();
      return address;
    }
  }
  throw new Error("the service ended before it was ready");
}
