/** Transcripts as subtitles. */
import type { TranscriptionResult } from "../../engines/job.ts";

type Segments = TranscriptionResult["segments"];

export function srtOf(segments: Segments): string {
  return segments.map((segment, at) => `${at + 1}\n${cueOf(segment, ",")}\n\n`).join("");
}

export function vttOf(segments: Segments): string {
  return `WEBVTT\n\n${segments.map((segment) => `${cueOf(segment, ".")}\n\n`).join("")}`;
}

function cueOf({ start, end, text }: Segments[number], mark: string): string {
  // An arrow in the text would begin another cue.
  return `${timeOf(start, mark)} --> ${timeOf(end, mark)}\n${text.trim().replaceAll("-->", "->")}`;
}

function timeOf(seconds: number, mark: string): string {
  const ms = Math.round(Math.max(0, seconds) * 1000);
  const parts = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((part) => String(Math.floor(part)).padStart(2, "0"));
  return `${parts.join(":")}${mark}${String(ms % 1000).padStart(3, "0")}`;
}
