import { createWriteStream, existsSync, statSync } from "node:fs";
import { access, constants, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fitting } from "../config/shape.ts";
import { errorCode } from "../kit/error-code.ts";
import type { Client } from "./client.ts";
import { CommandError } from "./complaint.ts";
import { LyricsResult, MusicResult, VideoResult, type TaskRecord } from "./records.ts";

/** One thing that a task made: a title for its name, and its text or the address it lies at. */
export type Result = { title: string; extension: string } & ({ text: string } | { url: string });

const extensions: Record<string, string> = {
  "video/mp4": ".mp4",
  "video/webm": ".webm",
  "audio/mpeg": ".mp3",
  "audio/wav": ".wav",
  "audio/flac": ".flac",
  "audio/ogg": ".ogg",
  "audio/mp4": ".m4a",
};

/** What a finished task made, in order; `title` names what has no title of its own. */
export function resultsOf(task: TaskRecord, title: string): Result[] {
  const extensionAt = (url: string) => extensions[task.assets.find(({ id }) => url.includes(`/assets/${id}`))?.mime ?? ""] ?? "";
  const lyrics = fitting(LyricsResult, task.result);
  if (lyrics !== undefined) return [{ title: lyrics.title || title, extension: ".txt", text: lyrics.text }];
  const video = fitting(VideoResult, task.result);
  if (video !== undefined) return [{ title, extension: extensionAt(video.video_url), url: video.video_url }];
  const music = fitting(MusicResult, task.result);
  return (music?.songs ?? []).map((song) => ({ title: song.title || title, extension: extensionAt(song.audio_url), url: song.audio_url }));
}

/** Fails before anything is spent when the results could not be written. */
export async function checkTarget(cwd: string, output: string | undefined): Promise<void> {
  const folder = isFolder(cwd, output) ? resolve(cwd, output ?? ".") : dirname(resolve(cwd, output ?? ""));
  try {
    await access(folder, constants.W_OK);
  } catch (cause) {
    const problem = errorCode(cause) === "ENOENT" ? "there is no folder" : "cannot write into";
    throw new CommandError(`Nothing was started: ${problem} ${folder}.`, { cause });
  }
}

/** Where each result goes: the first to the file that was named, the next beside it as -2, -3; by their titles where none was named. */
export function targetPaths(cwd: string, output: string | undefined, results: readonly Result[], taskId: string): string[] {
  if (isFolder(cwd, output)) return titledPaths(resolve(cwd, output ?? "."), results, taskId);
  const path = resolve(cwd, output ?? "");
  return results.map((_, index) => numbered(path, index));
}

function titledPaths(folder: string, results: readonly Result[], taskId: string): string[] {
  const [first] = results;
  if (first === undefined) return [];
  const pathsFor = (name: string) => results.map(({ extension }, index) => numbered(join(folder, name + extension), index));
  const name = fileName(first.title);
  const paths = pathsFor(name);
  // Nothing that nobody named is ever overwritten.
  return paths.some((path) => existsSync(path)) ? pathsFor(`${name}-${taskId.slice(-8)}`) : paths;
}

function isFolder(cwd: string, output: string | undefined): boolean {
  return output === undefined || statSync(resolve(cwd, output), { throwIfNoEntry: false })?.isDirectory() === true;
}

function numbered(path: string, index: number): string {
  if (index === 0) return path;
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${index + 1}${extension}`);
}

/** A title as the name of a file on any system. */
export function fileName(title: string): string {
  const words =
    title
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.slice(0, 8).join("-").slice(0, 60) || "genway";
}

/** Writes a result, whole or not at all. */
export async function saveResult(client: Client, result: Result, path: string, signal: AbortSignal): Promise<void> {
  const temporary = `${path}.part`;
  try {
    if ("text" in result) await writeFile(temporary, `${result.text.trimEnd()}\n`);
    else await download(client, result.url, temporary, signal);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function download(client: Client, url: string, path: string, signal: AbortSignal): Promise<void> {
  // Links begin with the address the service is known by outside; from here it is the one we are already talking to.
  const response = await client.open(url.slice(url.lastIndexOf("/assets/")), { signal });
  if (response.body === null) throw new CommandError("The service sent an empty file.");
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path), { signal });
}
