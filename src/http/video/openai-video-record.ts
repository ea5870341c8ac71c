import { Type, type Static } from "typebox";
import type { Status, Task } from "../../core/task.ts";
import type { AssetUrl } from "../asset-url.ts";
import { frameOf } from "./video-wishes.ts";
import { nullable, secondsOrNull } from "../wire.ts";

export const VideoObject = Type.Object({
  id: Type.String(),
  task_id: Type.String(),
  object: Type.Literal("video"),
  model: Type.String(),
  status: Type.String({ description: "queued, in_progress, completed or failed" }),
  progress: Type.Integer(),
  prompt: nullable(Type.String()),
  created_at: Type.Integer(),
  completed_at: nullable(Type.Integer()),
  expires_at: nullable(Type.Integer()),
  seconds: Type.String(),
  size: Type.String(),
  remixed_from_video_id: nullable(Type.String()),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  url: nullable(Type.String()),
  video_url: nullable(Type.String()),
  thumbnail_url: nullable(Type.String()),
  metadata: Type.Object({ url: Type.Optional(Type.String()) }),
});

const states: Record<Status, string> = {
  SUBMITTED: "queued",
  QUEUED: "queued",
  IN_PROGRESS: "in_progress",
  SUCCESS: "completed",
  FAILURE: "failed",
};

/** A video task as OpenAI shows videos, and where the relays' clients look for its address. */
export function videoObject(task: Task, url: AssetUrl): Static<typeof VideoObject> {
  const { id, model, status, progress, createdAt, finishedAt, failCode, failReason } = task;
  const result = task.result?.kind === "video" ? task.result : null;
  const input = task.kind === "video" ? task.input : null;
  const address = url(result?.video ?? null) || null;
  const kept = task.assets.find((asset) => asset.id === result?.video);
  const frame = input === null ? null : frameOf(input);
  return {
    id,
    task_id: id,
    object: "video",
    model,
    status: states[status],
    progress,
    prompt: input?.prompt || null,
    created_at: Math.floor(createdAt / 1000),
    completed_at: status === "SUCCESS" ? secondsOrNull(finishedAt) : null,
    expires_at: kept === undefined ? null : Math.floor(kept.expiresAt / 1000),
    seconds: String(Math.round(result?.durationSeconds || (input?.durationSeconds ?? 0))),
    size: frame === null ? "" : `${frame.width}x${frame.height}`,
    remixed_from_video_id: input?.source?.act === "remix" ? input.source.taskId : null,
    error: failCode === null ? null : { code: failCode, message: failReason ?? "" },
    url: address,
    video_url: address,
    thumbnail_url: url(result?.cover ?? null) || null,
    metadata: address === null ? {} : { url: address },
  };
}
