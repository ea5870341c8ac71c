import { EngineError, engineReasons, type EngineReason } from "./engine-error.ts";
import { heavyEngines, type HeavyJob, type TextPiece } from "./job.ts";

/** What an engine's process tells its parent. */
export type ChildMessage =
  | { type: "ready" }
  /** Work goes on, though there is nothing to tell of it. */
  | { type: "alive" }
  | { type: "progress"; progress: number }
  | { type: "piece"; piece: TextPiece }
  | { type: "done"; result: unknown }
  | { type: "failed"; reason: EngineReason; says: string; detail: string };

/** What the parent sends to end a job but not the process. */
export const stopMessage = { type: "stop" } as const;

/** What the watcher prints before it ends a process that outgrew its limit. */
export const memoryMark = "engine memory limit reached";

/** Reads a message of the child; anything else is null. */
export function readChildMessage(value: unknown): ChildMessage | null {
  if (!isRecord(value)) return null;
  if (value.type === "ready" || value.type === "alive") return { type: value.type };
  if (value.type === "progress" && typeof value.progress === "number") return { type: "progress", progress: value.progress };
  if (value.type === "piece" && isPiece(value.piece)) return { type: "piece", piece: value.piece };
  if (value.type === "done") return { type: "done", result: value.result };
  if (value.type === "failed") {
    const reason = engineReasons.find((known) => known === value.reason) ?? "failed";
    return { type: "failed", reason, says: String(value.says), detail: String(value.detail) };
  }
  return null;
}

export function isStopMessage(value: unknown): boolean {
  return isRecord(value) && value.type === stopMessage.type;
}

/** True for what the parent sends: a job of an engine that runs in a process. */
export function isHeavyJob(value: unknown): value is HeavyJob {
  return isRecord(value) && heavyEngines.some((engine) => engine === value.engine) && typeof value.outDir === "string";
}

export function describeFailure(error: unknown): Extract<ChildMessage, { type: "failed" }> {
  if (error instanceof EngineError) return { type: "failed", reason: error.reason, says: error.message, detail: stackOf(error.cause) };
  return { type: "failed", reason: "failed", says: "The generator could not finish this job.", detail: stackOf(error) };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error ?? "");
}

// It comes from our own code on the other side.
function isPiece(value: unknown): value is TextPiece {
  return isRecord(value) && typeof value.choice === "number" && typeof value.text === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
