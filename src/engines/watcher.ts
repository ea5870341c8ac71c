import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { memoryMark } from "./message.ts";
import { isRunning } from "./process-state.ts";

/*
 * A thread, because the main thread of an engine may sit in native code for seconds: only a thread beside it can still
 * notice that the parent is gone or that memory runs away.
 */
const everyMs = 200;
const { parentPid, memoryLimitBytes }: { parentPid: number; memoryLimitBytes: number } = workerData;

function watch(): void {
  if (process.ppid !== parentPid || !isRunning(parentPid)) endProcess();
  if (process.memoryUsage.rss() > memoryLimitBytes) {
    writeSync(2, `${memoryMark}\n`);
    endProcess();
  }
}

function endProcess(): void {
  process.kill(process.pid, "SIGKILL");
}

watch();
setInterval(watch, everyMs);
parentPort?.postMessage("watching");
