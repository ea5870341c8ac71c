import { readImageHeader } from "../kit/image-header.ts";
import { gather } from "../kit/gather.ts";
import { uuidv7 } from "../kit/ids.ts";
import type { ImageOutput, MediaSource, TaskOutput } from "./kinds.ts";
import type { Clock, FetchMedia, MediaFacts, MediaStore } from "./ports.ts";
import type { NewAsset } from "./records.ts";
import type { StoredPicture, Task, TaskResult } from "./task.ts";

export type CollectNeeds = {
  media: MediaStore;
  fetchMedia: FetchMedia;
  /** Puts pictures together as one; null where this cannot be done here. */
  makeGrid: (pictures: Uint8Array[]) => Promise<Uint8Array | null>;
  /** What a stored video or recording says of itself; null where it cannot be read. */
  probe: (storageKey: string) => Promise<MediaFacts | null>;
  clock: Clock;
  assetRetentionMs: () => number;
};

type CopyOptions = { signal: AbortSignal; allowPrivate: boolean; /** Whether several pictures are wanted as one too. */ grid: boolean };

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

type Keep = (source: MediaSource, kind: NewAsset["kind"]) => Promise<string>;

async function copy(needs: CollectNeeds, output: TaskOutput, options: CopyOptions, assets: NewAsset[]): Promise<TaskResult> {
  const keep: Keep = async (source, kind) => {
    const asset = await store(needs, source, kind, options);
    assets.push(asset);
    return asset.id;
  };
  // A picture that cannot be had does not spoil a song or a video.
  const keepExtra = async (source: MediaSource | undefined, kind: NewAsset["kind"]) =>
    source === undefined ? null : keep(source, kind).catch(() => null);

  const probe = (id: string) => needs.probe(assets.find((asset) => asset.id === id)?.storageKey ?? "");

  if (output.kind === "lyrics") return { kind: "lyrics", title: output.title, text: output.text, tags: output.tags };
  if (output.kind === "image") return copyPictures(needs, output, options, keep, assets);
  if (output.kind === "reply") {
    const { value = null, text = null, media } = output;
    return { kind: "reply", value, text, media: media === undefined ? null : await keep(media, "audio") };
  }
  if (output.kind === "video") {
    const video = await keep(output.video, "video");
    const cover = await keepExtra(output.cover, "image");
    const { durationSeconds = 0, width = 0, height = 0 } = (await probe(video)) ?? {};
    return { kind: "video", video, cover, durationSeconds: output.durationSeconds ?? durationSeconds, ...(width > 0 && { width, height }) };
  }
  const songs = [];
  for (const { upstreamId, title, tags, lyrics, durationSeconds, seed = null, audio, image, video } of output.songs) {
    const kept = await keep(audio, "audio");
    const seconds = durationSeconds > 0 ? durationSeconds : (await probe(kept))?.durationSeconds;
    const facts = { upstreamId, title, tags, lyrics, durationSeconds: seconds ?? 0, seed };
    songs.push({
      ...facts,
      audio: kept,
      image: await keepExtra(image, "image"),
      video: await keepExtra(video, "video"),
    });
  }
  return { kind: "music", songs };
}

const headerBytes = 64 * 1024;

async function headOf(media: MediaStore, key: string): Promise<Uint8Array> {
  const { stream } = await media.open(key, { start: 0, end: headerBytes - 1 });
  return gather(stream);
}

async function copyPictures(
  { media, makeGrid }: CollectNeeds,
  output: ImageOutput,
  { grid: wantsGrid }: CopyOptions,
  keep: Keep,
  assets: readonly NewAsset[],
): Promise<TaskResult> {
  const keyOf = (id: string) => assets.find((asset) => asset.id === id)?.storageKey ?? "";
  const pictures: StoredPicture[] = [];
  for (const { media: source, seed = null, prompt = null } of output.pictures) {
    const image = await keep(source, "image");
    const { width, height } = readImageHeader(await headOf(media, keyOf(image))) ?? { width: 0, height: 0 };
    pictures.push({ image, seed, prompt, width, height });
  }
  const made = wantsGrid && output.grid === undefined && pictures.length > 1;
  const bytes = made ? await makeGrid(await Promise.all(pictures.map(({ image }) => media.read(keyOf(image))))) : null;
  const only = output.grid !== undefined && output.pictures.length === 1 ? (pictures[0]?.image ?? null) : null;
  const grid = only ?? (bytes === null ? null : await keep({ from: "bytes", bytes }, "image"));
  const { texts = [], buttons = [], usage = null } = output;
  return { kind: "image", pictures, grid, texts, buttons, usage };
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

/** The result with what the provider did not tell taken from the request: a video's length, a song's title, tags and words. */
export function withKnownFacts(result: TaskResult, task: Task): TaskResult {
  if (result.kind === "video" && task.kind === "video" && result.durationSeconds <= 0)
    return { ...result, durationSeconds: task.input.durationSeconds };
  if (result.kind !== "music" || task.kind !== "music") return result;
  const { title = "", tags = "", lyrics = "" } = task.input;
  return {
    ...result,
    songs: result.songs.map((song) => ({
      ...song,
      title: song.title || title,
      tags: song.tags || tags,
      lyrics: song.lyrics || lyrics,
    })),
  };
}
