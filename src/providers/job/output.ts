import type { LyricsOutput, MusicOutput, Song, TaskKind, TaskOutput, VideoOutput } from "../../core/kinds.ts";
import { readImage } from "./image-output.ts";
import type { MediaReader } from "./media.ts";
import { holds, readFirst, readNumber, readText } from "./path.ts";
import type { Paths } from "./path.ts";
import type { JobSpec, Results } from "./spec.ts";

/** What a finished job left, in our words; null while the record does not hold it, or not all of it; "withheld" where it never will. */
export function readOutput(
  results: JobSpec["results"],
  kind: TaskKind,
  record: unknown,
  media: MediaReader,
): TaskOutput | "withheld" | null {
  if (kind === "video" && results.video) return readVideo(results.video, record, media);
  if (kind === "music" && results.music) return readMusic(results.music, record, media);
  if (kind === "lyrics" && results.lyrics) return readLyrics(results.lyrics, record);
  if (kind === "image" && results.image) return readImage(results.image, record, media);
  return null;
}

function readVideo(map: Results["video"], record: unknown, media: MediaReader): VideoOutput | null {
  const video = media(record, map.video);
  if (!video) return null;
  const cover = media(record, map.cover);
  const durationSeconds = readNumber(record, map.durationSeconds);
  return { kind: "video", video, ...(cover && { cover }), ...(durationSeconds !== undefined && { durationSeconds }) };
}

function readMusic(map: Results["music"], record: unknown, media: MediaReader): MusicOutput | null {
  const found = readFirst(record, map.songs);
  if (typeof found !== "object" || found === null) return null;
  const list: readonly unknown[] = [found].flat();
  if (!list.every((song) => holds(song, map.ready))) return null;
  const songs = list.slice(0, maxSongs).flatMap((song) => readSong(map, song, media) ?? []);
  return songs.length === 0 ? null : { kind: "music", songs };
}

function readSong(map: Results["music"], song: unknown, media: MediaReader): Song | null {
  const audio = media(song, map.audio);
  if (!audio) return null;
  const seed = readNumber(song, map.seed);
  const image = media(song, map.image);
  const video = media(song, map.video);
  return {
    upstreamId: readText(song, map.id) ?? null,
    title: readText(song, map.title) ?? "",
    tags: readList(song, map.tags).join(", "),
    lyrics: readText(song, map.lyrics) ?? "",
    durationSeconds: Math.max(0, readNumber(song, map.durationSeconds) ?? 0),
    audio,
    ...(seed !== undefined && { seed }),
    ...(image && { image }),
    ...(video && { video }),
  };
}

function readLyrics(map: Results["lyrics"], record: unknown): LyricsOutput | null {
  const text = readText(record, map.text);
  if (text === undefined) return null;
  return { kind: "lyrics", title: readText(record, map.title) ?? "", text, tags: readList(record, map.tags) };
}

// Upstreams write lists of words both as lists and as one text with commas.
function readList(record: unknown, paths: Paths | undefined): string[] {
  const found = readFirst(record, paths);
  const words: readonly unknown[] = typeof found === "string" ? found.split(",") : Array.isArray(found) ? found : [];
  return words.filter((word) => typeof word === "string").flatMap((word) => word.trim() || []);
}

const maxSongs = 16;
