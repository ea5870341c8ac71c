import { Type, type Static } from "typebox";
import type { Task } from "../../core/task.ts";
import type { AssetUrl } from "../asset-url.ts";
import { VideoObject, videoObject } from "./openai-video-record.ts";
import { madeFrame } from "./video-wishes.ts";
import { seconds } from "../wire.ts";

const Facts = Type.Object({
  url: Type.Optional(Type.String()),
  duration: Type.Number(),
  width: Type.Integer(),
  height: Type.Integer(),
  seed: Type.Optional(Type.Integer()),
  fps: Type.Optional(Type.Integer()),
});

const TaskData = Type.Object({
  id: Type.String(),
  task_id: Type.String(),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
  action: Type.String(),
  status: Type.String({ description: "SUBMITTED, QUEUED, IN_PROGRESS, SUCCESS or FAILURE" }),
  fail_reason: Type.String(),
  result_url: Type.String(),
  url: Type.String(),
  video_url: Type.String(),
  format: Type.String(),
  submit_time: Type.Integer(),
  start_time: Type.Integer(),
  finish_time: Type.Integer(),
  progress: Type.String(),
  properties: Type.Object({ input: Type.String(), origin_model_name: Type.String() }),
  metadata: Facts,
  data: VideoObject,
});

/** Clients of the relays look in the envelope's data or beside it. */
export const RelayedVideo = Type.Object({
  code: Type.Literal("success"),
  message: Type.String(),
  data: TaskData,
  ...VideoObject.properties,
  format: Type.String(),
  metadata: Facts,
});

/** A video task as the relays show it: a task in the envelope, and the same flat beside it. */
export function relayedVideo(task: Task, url: AssetUrl): Static<typeof RelayedVideo> {
  const video = videoObject(task, url);
  const { metadata: address, ...flat } = video;
  const input = task.kind === "video" ? task.input : null;
  const result = task.result?.kind === "video" ? task.result : {};
  const frame = input === null ? { width: 0, height: 0 } : madeFrame(result, input);
  const metadata = {
    ...address,
    duration: task.result?.kind === "video" ? task.result.durationSeconds : (input?.durationSeconds ?? 0),
    ...frame,
    ...(input?.seed === undefined ? {} : { seed: input.seed }),
    ...(typeof input?.extras?.["fps"] === "number" ? { fps: input.extras["fps"] } : {}),
  };
  const format = formatOf(task);
  return {
    code: "success",
    message: "",
    data: {
      id: task.id,
      task_id: task.id,
      created_at: seconds(task.createdAt),
      updated_at: seconds(task.finishedAt ?? task.startedAt ?? task.createdAt),
      action: input?.source === undefined ? (input?.image === undefined ? "textGenerate" : "generate") : `${input.source.act}Generate`,
      status: task.status,
      fail_reason: task.failReason ?? "",
      result_url: video.url ?? "",
      url: video.url ?? "",
      video_url: video.url ?? "",
      format,
      submit_time: seconds(task.createdAt),
      start_time: seconds(task.startedAt),
      finish_time: seconds(task.finishedAt),
      progress: `${task.progress}%`,
      properties: { input: input?.prompt ?? "", origin_model_name: task.model },
      metadata,
      data: video,
    },
    ...flat,
    format,
    metadata,
  };
}

function formatOf({ result, assets }: Task): string {
  const mime = result?.kind === "video" ? assets.find(({ id }) => id === result.video)?.mime : undefined;
  return mime === "video/webm" ? "webm" : "mp4";
}
