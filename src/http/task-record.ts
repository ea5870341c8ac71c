import { Type, type Static } from "typebox";
import { usdFromNanos } from "../core/money.ts";
import type { Account } from "../core/records.ts";
import type { Task } from "../core/task.ts";
import type { AssetUrl } from "./asset-url.ts";
import { errorBody } from "./error-shapes.ts";
import { musicTask } from "./music-a-record.ts";
import { generationTask } from "./music-b.ts";
import { videoRecord } from "./video.ts";
import { nullable, secondsOrNull, TaskError } from "./wire.ts";

export const TaskRecord = Type.Object({
  id: Type.String(),
  object: Type.Literal("task"),
  kind: Type.String(),
  model: Type.String(),
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
});

/** A task of any group, as our own operations show it. */
export function taskRecord(task: Task, url: AssetUrl): Static<typeof TaskRecord> {
  return {
    id: task.id,
    object: "task",
    kind: task.kind,
    model: task.model,
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
  };
}

function resultOf(task: Task, url: AssetUrl): unknown {
  const { result } = task;
  if (result === null) return null;
  if (result.kind === "lyrics") return { title: result.title, text: result.text, tags: result.tags };
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

/** A task in the words of the group it came in through. */
export function dialectRecord(task: Task, account: Account, url: AssetUrl): object {
  if (task.dialect === "video") return videoRecord(task, url);
  if (task.dialect === "music-a") return musicTask(task, account, url);
  return generationTask(task, account, url);
}
