import { once } from "node:events";
import { setPriority } from "node:os";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { EngineError } from "./engine-error.ts";
import { describeFailure, isHeavyJob, isStopMessage, type ChildMessage } from "./message.ts";
import type { EngineResult, HeavyJob, Report } from "./job.ts";

const aliveEveryMs = 1000;
let stopAsked = false;

/*
 * The entry of an engine's process. It is told what to do by its parent alone, so signals that a terminal or a process
 * manager sends to the whole group are left to the parent, and a lost parent ends it at once.
 */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
yieldProcessor();
await startWatcher();
process.on("message", (message) => void handle(message));
tell({ type: "ready" });

async function handle(message: unknown): Promise<void> {
  if (isStopMessage(message)) stopAsked = true;
  if (!isHeavyJob(message)) return;
  stopAsked = false;
  try {
    tell({ type: "done", result: await work(message, reportChanges()) });
  } catch (error) {
    tell(describeFailure(error));
  }
}

async function work(job: HeavyJob, report: Report): Promise<EngineResult> {
  // Imported when first needed: each process serves one engine and should not pay for the packages of the others.
  switch (job.engine) {
    case "video":
      return (await import("./video/video.ts")).renderVideo(job, report);
    case "music":
      return (await import("./music/music.ts")).renderMusic(job, report);
    case "text":
      return (await import("./text/text.ts")).writeText(job, (piece) => tell({ type: "piece", piece }), watchForStop());
    case "embedding":
      return (await import("./embedding/embedding.ts")).embed(job, report);
    case "speech":
      return (await import("./speech/speech.ts")).speak(job, report);
    case "transcription":
      return (await import("./transcription/transcription.ts")).transcribe(job, report);
    case "image":
      return (await import("./image/image.ts")).drawImages(job, report);
  }
}

function reportChanges(): Report {
  let last = -1;
  return (progress) => {
    const whole = Math.max(0, Math.min(100, Math.floor(progress)));
    if (whole <= last) return;
    last = whole;
    tell({ type: "progress", progress: whole });
  };
}

function watchForStop(): () => void {
  let toldAt = performance.now();
  return () => {
    if (stopAsked) throw new EngineError("cancelled", "The job was cancelled.");
    if (performance.now() - toldAt < aliveEveryMs) return;
    toldAt = performance.now();
    tell({ type: "alive" });
  };
}

async function startWatcher(): Promise<void> {
  const [parentPid, memoryLimitBytes] = process.argv.slice(2).map(Number);
  const file = new URL(`./watcher${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const watcher = new Worker(file, { workerData: { parentPid, memoryLimitBytes } });
  watcher.on("exit", () => process.kill(process.pid, "SIGKILL"));
  await once(watcher, "message");
}

function yieldProcessor(): void {
  try {
    setPriority(process.pid, 10);
  } catch {
    // Some sandboxes forbid it; the work is the same, only less polite.
  }
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}
