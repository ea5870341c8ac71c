import { Type, type Static } from "typebox";
import type { Account } from "../../core/records.ts";
import { songIdsOf, type Status, type Task } from "../../core/task.ts";
import type { AssetUrl } from "../asset-url.ts";
import { nullable, seconds } from "../wire.ts";

const text = Type.String();

const Metadata = Type.Object({
  tags: text,
  type: text,
  prompt: text,
  stream: Type.Boolean(),
  duration: Type.Number(),
  refund_credits: Type.Boolean(),
  history: nullable(Type.Array(Type.Object({ id: text, continue_at: Type.Number() }))),
  error_type: nullable(text),
  error_message: nullable(text),
  concat_history: Type.Null(),
  audio_prompt_id: Type.Null(),
  gpt_description_prompt: nullable(text),
});

const recordFields = {
  id: text,
  title: text,
  handle: text,
  status: text,
  user_id: text,
  is_liked: Type.Boolean(),
  metadata: Metadata,
  reaction: Type.Null(),
  audio_url: text,
  image_url: text,
  video_url: text,
  image_large_url: text,
  is_public: Type.Boolean(),
  created_at: text,
  is_trashed: Type.Boolean(),
  model_name: text,
  major_model_version: text,
  play_count: Type.Integer(),
  upvote_count: Type.Integer(),
  display_name: text,
  is_video_pending: Type.Boolean(),
  is_handle_updated: Type.Boolean(),
};

export const Clip = Type.Object(recordFields);
/** The record of the first clip, with the keys that other clients of this dialect read. */
export const CreatedClip = Type.Object({ ...recordFields, code: text, message: text, data: text, task_id: text });

const LyricsData = Type.Object({ id: text, title: text, text, status: text, tags: Type.Array(text), error_message: text });

export const MusicTask = Type.Object({
  id: text,
  task_id: text,
  action: text,
  status: text,
  fail_reason: text,
  submit_time: Type.Integer(),
  start_time: Type.Integer(),
  finish_time: Type.Integer(),
  progress: text,
  data: Type.Union([Type.Array(Clip), LyricsData]),
});

const clipStatus: Record<Status, string> = {
  SUBMITTED: "submitted",
  QUEUED: "queued",
  IN_PROGRESS: "streaming",
  SUCCESS: "complete",
  FAILURE: "error",
};

const codenames: Record<string, string> = { auk: "v4.5", bluejay: "v4.5+", crow: "v5", fenix: "v5.5", goose: "v6", hawk: "v6" };

function majorVersion(model: string): string {
  const codename = /^chirp-([a-z]+)/.exec(model)?.[1] ?? "";
  return codenames[codename] ?? /v\d+/.exec(model)?.[0] ?? "";
}

/** One of the two clips of a music task. */
export function clipOf(task: Task, index: number, account: Account, url: AssetUrl): Static<typeof Clip> {
  const input = task.kind === "music" ? task.input : null;
  const song = task.result?.kind === "music" ? task.result.songs[index] : undefined;
  const failed = task.status === "FAILURE";
  const image = url(song?.image ?? null);
  return {
    id: task.songIds[index] ?? task.id,
    title: song?.title ?? input?.title ?? "",
    handle: account.name,
    status: clipStatus[task.status],
    user_id: account.id,
    is_liked: false,
    metadata: {
      tags: song?.tags ?? input?.tags ?? "",
      type: "gen",
      prompt: song?.lyrics ?? input?.lyrics ?? "",
      stream: true,
      duration: song?.durationSeconds ?? 0,
      refund_credits: failed && task.costNanos === 0,
      history: input?.continues === undefined ? null : [{ id: input.continues.songId, continue_at: input.continues.atSeconds }],
      error_type: task.failCode,
      error_message: task.failReason,
      concat_history: null,
      audio_prompt_id: null,
      gpt_description_prompt: input?.description ?? null,
    },
    reaction: null,
    audio_url: url(song?.audio ?? null),
    image_url: image,
    video_url: url(song?.video ?? null),
    image_large_url: image,
    is_public: false,
    created_at: new Date(task.createdAt).toISOString(),
    is_trashed: false,
    model_name: task.model,
    major_model_version: majorVersion(task.model),
    play_count: 0,
    upvote_count: 0,
    display_name: account.name,
    is_video_pending: false,
    is_handle_updated: false,
  };
}

/** The reply to a create: as the task was when it was accepted, whatever has become of it. */
export function createdClip(task: Task, account: Account): Static<typeof CreatedClip> {
  const accepted: Task = { ...task, status: "SUBMITTED", result: null, failCode: null, failReason: null, costNanos: null };
  return { ...clipOf(accepted, 0, account, () => ""), code: "success", message: "", data: task.id, task_id: task.id };
}

/** A music or lyrics task as the music A group shows it. */
export function musicTask(task: Task, account: Account, url: AssetUrl): Static<typeof MusicTask> {
  return {
    id: task.id,
    task_id: task.id,
    action: task.kind === "lyrics" ? "LYRICS" : "MUSIC",
    status: task.status,
    fail_reason: task.failReason ?? "",
    submit_time: seconds(task.createdAt),
    start_time: seconds(task.startedAt),
    finish_time: seconds(task.finishedAt),
    progress: `${task.progress}%`,
    data: task.kind === "lyrics" ? lyricsData(task) : songIdsOf(task).map((_id, index) => clipOf(task, index, account, url)),
  };
}

function lyricsData(task: Task): Static<typeof LyricsData> {
  const result = task.result?.kind === "lyrics" ? task.result : null;
  return {
    id: task.id,
    title: result?.title ?? "",
    text: result?.text ?? "",
    status: clipStatus[task.status],
    tags: result?.tags ?? [],
    error_message: task.failReason ?? "",
  };
}
