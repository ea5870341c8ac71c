import { readFileSync } from "node:fs";
import { errorCode } from "../kit/error-code.ts";

/** True while a process can still do anything: one that has ended and only waits to be collected does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, ""));
  } catch {
    // Only Linux tells.
    return false;
  }
}
