import { EngineError, engineReasons, type EngineReason } from "./engine-error.ts";
import type { HeavyJob } from "./job.ts";

/** What an engine's process tells its parent. */
export type ChildMessage =
  | { type: "ready" }
  | { type: "progress"; progress: number }
  | { type: "done"; result: unknown }
  | { type: "failed"; reason: EngineReason; says: string; detail: string };

/** What the watcher prints before it ends a process that outgrew its limit. */
export const memoryMark = "engine memory limit reached";

/** Reads a message of the child; anything else is null. */
export function readChildMessage(value: unknown): ChildMessage | null {
  if (!isRecord(value)) return null;
  if (value.type === "ready") return { type: "ready" };
  if (value.type === "progress" && typeof value.progress === "number") return { type: "progress", progress: value.progress };
  if (value.type === "done") return { type: "done", result: value.result };
  if (value.type === "failed") {
    const reason = engineReasons.find((known) => known === value.reason) ?? "failed";
    return { type: "failed", reason, says: String(value.says), detail: String(value.detail) };
  }
  return null;
}

/** True for what the parent sends: a job of an engine that runs in a process. */
export function isHeavyJob(value: unknown): value is HeavyJob {
  return isRecord(value) && (value.engine === "video" || value.engine === "music") && typeof value.outDir === "string";
}

export function describeFailure(error: unknown): Extract<ChildMessage, { type: "failed" }> {
  if (error instanceof EngineError) return { type: "failed", reason: error.reason, says: error.message, detail: stackOf(error.cause) };
  return { type: "failed", reason: "failed", says: "The generator could not finish this job.", detail: stackOf(error) };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error ?? "");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
