import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "./process-state.ts";

test("a process whose main thread never comes back still ends when its parent is killed", async () => {
  const watcher = JSON.stringify(new URL("./watcher.ts", import.meta.url).href);
  const busy = `
    const { Worker } = require("node:worker_threads");
    const worker = new Worker(new URL(${watcher}), { workerData: { parentPid: process.ppid, memoryLimitBytes: 2 ** 40 } });
    worker.once("message", () => {
      require("node:fs").writeSync(1, process.pid + "\\n");
      for (const until = Date.now() + 30000; Date.now() < until;);
    });`;
  const parentScript = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(busy)}], { stdio: "inherit" });`;
  const parent = spawn(process.execPath, ["-e", parentScript], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
  const pid = Number(line);
  parent.kill("SIGKILL");
  const killedAt = performance.now();
  while (isRunning(pid) && performance.now() - killedAt < 10_000) await sleep(20);
  assert.ok(!isRunning(pid), "the orphan is still running after ten seconds");
});
