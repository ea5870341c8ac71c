import type { LyricsOutput, MediaSource, MusicOutput, Song, TaskKind, TaskOutput, VideoOutput } from "../../core/kinds.ts";
import { holds, readFirst, readNumber, readPath, readText } from "./path.ts";
import type { Paths } from "./path.ts";
import type { JobSpec, Results } from "./spec.ts";

/** Makes an upstream's address whole; null where it is none. */
export type Locate = (address: string) => string | null;

/** What a finished job left, in our words; null while the record does not hold it, or not all of it. */
export function readOutput(results: JobSpec["results"], kind: TaskKind, record: unknown, locate: Locate): TaskOutput | null {
  if (kind === "video" && results.video) return readVideo(results.video, record, locate);
  if (kind === "music" && results.music) return readMusic(results.music, record, locate);
  if (kind === "lyrics" && results.lyrics) return readLyrics(results.lyrics, record);
  return null;
}

function readVideo(map: Results["video"], record: unknown, locate: Locate): VideoOutput | null {
  const video = readMedia(record, map.video, locate);
  if (!video) return null;
  const cover = readMedia(record, map.cover, locate);
  const durationSeconds = readNumber(record, map.durationSeconds);
  return { kind: "video", video, ...(cover && { cover }), ...(durationSeconds !== undefined && { durationSeconds }) };
}

function readMusic(map: Results["music"], record: unknown, locate: Locate): MusicOutput | null {
  const list = readPath(record, map.songs);
  if (!Array.isArray(list) || !list.every((song) => holds(song, map.ready))) return null;
  const songs = list.slice(0, maxSongs).flatMap((song) => readSong(map, song, locate) ?? []);
  return songs.length === 0 ? null : { kind: "music", songs };
}

function readSong(map: Results["music"], song: unknown, locate: Locate): Song | null {
  const audio = readMedia(song, map.audio, locate);
  if (!audio) return null;
  const seed = readNumber(song, map.seed);
  const image = readMedia(song, map.image, locate);
  const video = readMedia(song, map.video, locate);
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

function readMedia(record: unknown, paths: Paths | undefined, locate: Locate): MediaSource | null {
  const address = readText(record, paths);
  const url = address === undefined ? null : locate(address);
  return url === null ? null : { from: "url", url };
}

// Upstreams write lists of words both as lists and as one text with commas.
function readList(record: unknown, paths: Paths | undefined): string[] {
  const found = readFirst(record, paths);
  const words: readonly unknown[] = typeof found === "string" ? found.split(",") : Array.isArray(found) ? found : [];
  return words.filter((word) => typeof word === "string").flatMap((word) => word.trim() || []);
}

const maxSongs = 16;
