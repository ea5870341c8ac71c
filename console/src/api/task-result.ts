import { field } from "./api-error.ts";
import type { Task } from "./tasks.ts";

export type Song = {
  id: string;
  title: string;
  tags: string;
  lyrics: string;
  duration: number;
  audio: string;
  image: string;
  video: string;
};
export type MadePicture = { url: string; prompt: string; size: string };

/** What a finished task has made, in one shape for each medium. */
export type Made =
  | { kind: "music"; songs: Song[] }
  | { kind: "lyrics"; title: string; text: string; tags: string[] }
  | { kind: "image"; pictures: MadePicture[]; grid: string; texts: string[] }
  | { kind: "video"; url: string; cover: string; duration: number }
  | { kind: "audio"; url: string }
  | { kind: "text"; text: string }
  | { kind: "other"; value: unknown };

/** Reads the result of a task; null while there is none. */
export function madeOf({ kind, result }: Pick<Task, "kind" | "result">): Made | null {
  if (result === null || result === undefined) return null;
  const songs = list(result, "songs");
  if (songs.length > 0) return { kind: "music", songs: songs.map(songOf) };
  if (text(result, "video_url") !== "")
    return { kind: "video", url: text(result, "video_url"), cover: text(result, "cover_url"), duration: number(result, "duration") };
  if (kind === "lyrics") return { kind, title: text(result, "title"), text: text(result, "text"), tags: list(result, "tags").map(String) };
  const pictures = list(result, "data").map(pictureOf);
  if (kind === "image" && (pictures.length > 0 || list(result, "texts").length > 0))
    return { kind, pictures, grid: text(result, "grid_url"), texts: list(result, "texts").map(String) };
  if (text(result, "url") !== "") return { kind: "audio", url: text(result, "url") };
  const said = typeof result === "string" ? result : answerOf(result);
  return said === "" ? { kind: "other", value: result } : { kind: "text", text: said };
}

function answerOf(result: unknown): string {
  return text(result, "text") || text(field(list(result, "choices")[0], "message"), "content");
}

function songOf(song: unknown): Song {
  return {
    id: text(song, "id"),
    title: text(song, "title"),
    tags: text(song, "tags"),
    lyrics: text(song, "lyrics"),
    duration: number(song, "duration"),
    audio: text(song, "audio_url"),
    image: text(song, "image_url"),
    video: text(song, "video_url"),
  };
}

function pictureOf(picture: unknown): MadePicture {
  return { url: text(picture, "url"), prompt: text(picture, "revised_prompt"), size: text(picture, "size") };
}

/** A text member of something of unknown shape; "" when there is none. */
export function text(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

export function number(value: unknown, name: string): number {
  const found = field(value, name);
  return typeof found === "number" ? found : 0;
}

/** A list member of something of unknown shape; empty when there is none. */
export function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}
