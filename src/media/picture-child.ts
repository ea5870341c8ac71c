import { setPriority } from "node:os";
import type { PictureJob } from "./picture-job.ts";
import { paint } from "./picture-painter.ts";

/*
 * The entry of a process that does one thing with pictures and ends. Signals to the whole group are left to its parent,
 * and a lost parent ends it.
 */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
try {
  setPriority(10);
} catch {
  // Some systems do not let a process step back; it works all the same.
}
process.on("message", (message) => {
  if (!isJob(message)) return;
  void paint(message).then((reply) => process.send?.(reply));
});

function isJob(message: unknown): message is PictureJob {
  return typeof message === "object" && message !== null && "do" in message;
}
