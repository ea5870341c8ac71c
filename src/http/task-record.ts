import { Type, type Static } from "typebox";
import { parentOf } from "../core/lineage.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Account } from "../core/records.ts";
import type { Dialect, Task, TaskResult } from "../core/task.ts";
import type { AssetUrl } from "./asset-url.ts";
import { errorBody } from "./error-shapes.ts";
import { ideogramReply } from "./image-b/image-b-record.ts";
import { imageARecord } from "./image-a/record.ts";
import { musicTask } from "./music/music-a-record.ts";
import { generationTask } from "./music/music-b.ts";
import { taskRequest } from "./task-request.ts";
import { promptOf, titleOf } from "./task-words.ts";
import { videoObject } from "./video/openai-video-record.ts";
import { generationRecord } from "./video/video-b-record.ts";
import { videoRecord } from "./video/video.ts";
import { nullable, secondsOrNull, TaskError } from "./wire.ts";

export const TaskRecord = Type.Object({
  id: Type.String(),
  object: Type.Literal("task"),
  kind: Type.String(),
  model: Type.String(),
  prompt: Type.String({ description: "what was asked for, in at most 500 characters" }),
  title: Type.String({ description: "as was asked, or as it was made" }),
  parent: nullable(Type.Object({ task: Type.String(), relation: Type.String() }, { description: "the task that it goes on from" })),
  status: Type.String(),
  progress: Type.Integer(),
  created_at: Type.Integer(),
  started_at: nullable(Type.Integer()),
  finished_at: nullable(Type.Integer()),
  cost_usd: Type.Number(),
  error: nullable(TaskError),
  assets: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      url: Type.String(),
      mime: Type.String(),
      bytes: Type.Integer(),
      expires_at: Type.Integer(),
    }),
  ),
  result: Type.Unknown(),
  /** What was changed of the request so that the provider could take it. */
  note: Type.Optional(Type.String()),
});

/** With the create that makes the same again. */
export const WholeTask = Type.Object({
  ...TaskRecord.properties,
  request: nullable(
    Type.Object(
      { path: Type.String(), body: Type.Object({}, { additionalProperties: true }) },
      { description: "the create that makes the same again; null where it cannot be written as JSON" },
    ),
  ),
});

/** A task of any group, as our own operations show it. */
export function taskRecord(task: Task, url: AssetUrl): Static<typeof TaskRecord> {
  const parent = parentOf(task);
  return {
    id: task.id,
    object: "task",
    kind: task.kind,
    model: task.model,
    prompt: promptOf(task),
    title: titleOf(task),
    parent: parent && { task: parent.taskId, relation: parent.relation },
    status: task.status,
    progress: task.progress,
    created_at: Math.floor(task.createdAt / 1000),
    started_at: secondsOrNull(task.startedAt),
    finished_at: secondsOrNull(task.finishedAt),
    cost_usd: usdFromNanos(task.costNanos ?? 0),
    error: task.failCode === null ? null : errorBody(task.failCode, task.failReason ?? ""),
    assets: task.assets.map(({ id, kind, mime, bytes, expiresAt }) => ({
      id,
      kind,
      url: url(id),
      mime,
      bytes,
      expires_at: Math.floor(expiresAt / 1000),
    })),
    result: resultOf(task, url),
    ...(task.result?.note !== undefined && { note: task.result.note }),
  };
}

/** The same with all that is told of one. */
export function wholeTask(task: Task, url: AssetUrl): Static<typeof WholeTask> {
  return { ...taskRecord(task, url), request: taskRequest(task) };
}

function resultOf(task: Task, url: AssetUrl): unknown {
  const { result } = task;
  if (result === null) return null;
  if (result.kind === "lyrics") return { title: result.title, text: result.text, tags: result.tags };
  if (result.kind === "reply") return result.media === null ? (result.value ?? { text: result.text ?? "" }) : { url: url(result.media) };
  if (result.kind === "image") return imageResult(task.createdAt, result, url);
  if (result.kind === "video") return { video_url: url(result.video), cover_url: url(result.cover), duration: result.durationSeconds };
  return {
    songs: result.songs.map(({ title, tags, lyrics, durationSeconds, audio, image, video }, index) => ({
      id: task.songIds[index] ?? null,
      title,
      tags,
      lyrics,
      duration: durationSeconds,
      audio_url: url(audio),
      image_url: url(image),
      video_url: url(video),
    })),
  };
}

/** Pictures as the images operations of OpenAI's dialect give them, with what else there is. */
function imageResult(createdAt: number, result: Extract<TaskResult, { kind: "image" }>, url: AssetUrl): object {
  const { pictures, grid, texts, usage } = result;
  return {
    created: Math.floor(createdAt / 1000),
    data: pictures.map(({ image, prompt, seed, width, height }) => ({
      url: url(image),
      ...(prompt !== null && { revised_prompt: prompt }),
      ...(seed !== null && { seed }),
      ...(width > 0 && { size: `${width}x${height}` }),
    })),
    ...(grid !== null && { grid_url: url(grid) }),
    ...(texts.length > 0 && { texts }),
    ...(usage !== null && { usage }),
  };
}

/** A task in the words of the group it came in through. */
export function dialectRecord(task: Task, account: Account, url: AssetUrl): object {
  return records[task.dialect](task, account, url);
}

const records: Record<Dialect, (task: Task, account: Account, url: AssetUrl) => object> = {
  video: (task, _account, url) => videoRecord(task, url),
  "music-a": musicTask,
  "music-b": generationTask,
  "image-a": (task, _account, url) => imageARecord(task, url),
  "image-b": (task, _account, url) => ideogramReply(task, url),
  "video-b": (task, _account, url) => generationRecord(task, url),
  "openai-video": (task, _account, url) => videoObject(task, url),
  images: (task, _account, url) => taskRecord(task, url),
  call: (task, _account, url) => taskRecord(task, url),
};
