import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { errorCode } from "../kit/error-code.ts";
import { memoryMark } from "./message.ts";

/*
 * A thread, because the main thread of an engine may sit in native code for seconds: only a thread beside it can still
 * notice that the parent is gone or that memory runs away.
 */
const everyMs = 200;
const { parentPid, memoryLimitBytes }: { parentPid: number; memoryLimitBytes: number } = workerData;

function watch(): void {
  if (process.ppid !== parentPid || !isAlive(parentPid)) endProcess();
  if (process.memoryUsage.rss() > memoryLimitBytes) {
    writeSync(2, `${memoryMark}\n`);
    endProcess();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function endProcess(): void {
  process.kill(process.pid, "SIGKILL");
}

watch();
setInterval(watch, everyMs);
parentPort?.postMessage("watching");
