import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";

const types: Record<string, string> = {
  "clip.mp4": "video/mp4",
  "tone.mp3": "audio/mpeg",
  "tone.wav": "audio/wav",
  "tone.flac": "audio/flac",
  "tone.aac": "audio/aac",
  "tone.ogg": "audio/ogg",
  "cover.png": "image/png",
  "cover.jpg": "image/jpeg",
  "cover.webp": "image/webp",
};
const files = new Map(Object.keys(types).map((name) => [name, readFileSync(new URL(`media/${name}`, import.meta.url))]));

/** The bytes of one of the lab's results. */
export function mediaBytes(name: string): Uint8Array {
  return files.get(name) ?? new Uint8Array();
}

/** What a result is, as a MIME type. */
export function mediaType(name: string): string {
  return types[name] ?? "application/octet-stream";
}

/** Answers a request for a result, as long as its link works. */
export function serveMedia(response: ServerResponse, url: URL, nowMs: number): void {
  const name = url.pathname.split("/").at(-1) ?? "";
  const bytes = files.get(name);
  if (!bytes) response.writeHead(404).end();
  else if (nowMs >= Number(url.searchParams.get("until")))
    response.writeHead(403, { "content-type": "text/plain" }).end("The link has expired.");
  else response.writeHead(200, { "content-type": types[name], "content-length": bytes.byteLength }).end(bytes);
}
