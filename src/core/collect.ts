import { uuidv7 } from "../kit/ids.ts";
import type { MediaSource, TaskOutput } from "./kinds.ts";
import type { Clock, FetchMedia, MediaStore } from "./ports.ts";
import type { NewAsset } from "./records.ts";
import type { Task, TaskResult } from "./task.ts";

export type CollectNeeds = { media: MediaStore; fetchMedia: FetchMedia; clock: Clock; assetRetentionMs: () => number };

type CopyOptions = { signal: AbortSignal; allowPrivate: boolean };

const maxMediaBytes = 2 * 1024 ** 3;
const fetchTimeoutMs = 10 * 60_000;

/** Copies what a provider made into our own storage; nothing counts as a success before that. */
export async function collect(
  needs: CollectNeeds,
  output: TaskOutput,
  options: CopyOptions,
): Promise<{ result: TaskResult; assets: NewAsset[] }> {
  const assets: NewAsset[] = [];
  try {
    return { result: await copy(needs, output, options, assets), assets };
  } catch (error) {
    await discard(needs.media, assets);
    throw error;
  }
}

async function copy(needs: CollectNeeds, output: TaskOutput, options: CopyOptions, assets: NewAsset[]): Promise<TaskResult> {
  const keep = async (source: MediaSource, kind: NewAsset["kind"]) => {
    const asset = await store(needs, source, kind, options);
    assets.push(asset);
    return asset.id;
  };
  // A picture that cannot be had does not spoil a song or a video.
  const keepExtra = async (source: MediaSource | undefined, kind: NewAsset["kind"]) =>
    source === undefined ? null : keep(source, kind).catch(() => null);

  if (output.kind === "lyrics") return { kind: "lyrics", title: output.title, text: output.text, tags: output.tags };
  if (output.kind === "video") {
    const video = await keep(output.video, "video");
    const cover = await keepExtra(output.cover, "image");
    return { kind: "video", video, cover, durationSeconds: output.durationSeconds ?? 0 };
  }
  const songs = [];
  for (const { upstreamId, title, tags, lyrics, durationSeconds, seed = null, audio, image, video } of output.songs) {
    const facts = { upstreamId, title, tags, lyrics, durationSeconds, seed };
    songs.push({
      ...facts,
      audio: await keep(audio, "audio"),
      image: await keepExtra(image, "image"),
      video: await keepExtra(video, "video"),
    });
  }
  return { kind: "music", songs };
}

async function store(
  { media, fetchMedia, clock, assetRetentionMs }: CollectNeeds,
  source: MediaSource,
  kind: NewAsset["kind"],
  { signal, allowPrivate }: CopyOptions,
): Promise<NewAsset> {
  const found = await put();
  if (!found.mime.startsWith(`${kind}/`)) {
    await media.remove(found.key);
    throw new Error(`the result is not ${kind} but ${found.mime}`);
  }
  const { key, bytes, sha256, mime } = found;
  return { id: uuidv7(), kind, mime, bytes, sha256, storageKey: key, expiresAt: clock() + assetRetentionMs() };

  async function put() {
    const limits = { maxBytes: maxMediaBytes };
    if (source.from === "path") return media.put({ path: source.path }, limits);
    if (source.from === "bytes") return media.put({ bytes: source.bytes }, limits);
    const { body } = await fetchMedia(source.url, { ...limits, timeoutMs: fetchTimeoutMs, signal, allowPrivate, headers: source.headers });
    return media.put({ stream: body }, limits);
  }
}

/** Removes stored media of a task that did not come to a good end. */
export async function discard(media: MediaStore, assets: readonly NewAsset[]): Promise<void> {
  for (const { storageKey } of assets) await media.remove(storageKey);
}

/** A video whose length the provider did not tell is as long as was asked. */
export function withKnownDuration(result: TaskResult, task: Task): TaskResult {
  if (result.kind !== "video" || task.kind !== "video" || result.durationSeconds > 0) return result;
  return { ...result, durationSeconds: task.input.durationSeconds };
}
