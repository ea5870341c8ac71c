import { Type, type Static } from "typebox";
import type { Status, Task } from "../../core/task.ts";
import type { AssetUrl } from "../asset-url.ts";
import { errorBody } from "../error-shapes.ts";
import { madeFrame } from "./video-wishes.ts";
import { nullable, TaskError } from "../wire.ts";

const Picture = Type.Object({ url: Type.String(), width: Type.Integer(), height: Type.Integer() });
const Film = Type.Object({
  url: Type.String(),
  download_url: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  duration: Type.Number(),
  thumbnail: Type.String(),
});

export const GenerationRecord = Type.Object({
  id: Type.String(),
  prompt: Type.String(),
  model_name: Type.String(),
  state: Type.String({ description: "pending, processing, completed or failed" }),
  progress: Type.Integer(),
  queue_state: Type.Null(),
  created_at: Type.String(),
  batch_id: Type.String(),
  video: nullable(Film),
  video_raw: nullable(Film),
  liked: Type.Null(),
  estimate_wait_seconds: nullable(Type.Integer()),
  thumbnail: nullable(Picture),
  last_frame: nullable(Picture),
  artifact: nullable(Film),
  failure_reason: nullable(Type.String()),
  error: nullable(TaskError),
});

const states: Record<Status, string> = {
  SUBMITTED: "pending",
  QUEUED: "pending",
  IN_PROGRESS: "processing",
  SUCCESS: "completed",
  FAILURE: "failed",
};

/** A video task as the video B group shows it. */
export function generationRecord(task: Task, url: AssetUrl): Static<typeof GenerationRecord> {
  const { id, model, status, progress, createdAt, failCode, failReason } = task;
  const film = filmOf(task, url);
  return {
    id,
    prompt: task.kind === "video" ? task.input.prompt : "",
    model_name: model,
    state: states[status],
    progress,
    queue_state: null,
    created_at: new Date(createdAt).toISOString(),
    batch_id: "",
    video: film,
    video_raw: film,
    liked: null,
    estimate_wait_seconds: null,
    thumbnail: film === null || film.thumbnail === "" ? null : { url: film.thumbnail, width: film.width, height: film.height },
    last_frame: null,
    artifact: film,
    failure_reason: failReason,
    error: failCode === null ? null : errorBody(failCode, failReason ?? ""),
  };
}

function filmOf({ kind, input, result }: Task, url: AssetUrl): Static<typeof Film> | null {
  if (kind !== "video" || result?.kind !== "video") return null;
  const address = url(result.video);
  return {
    url: address,
    download_url: address,
    ...madeFrame(result, input),
    duration: result.durationSeconds,
    thumbnail: url(result.cover),
  };
}
