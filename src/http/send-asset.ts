import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { MediaStore } from "../core/ports.ts";
import type { StoredAsset } from "../core/records.ts";

// Only types that cannot run anything are shown in place; all else is a download.
const shownInPlace = new Set([
  "video/mp4",
  "video/webm",
  "audio/mpeg",
  "audio/wav",
  "audio/flac",
  "audio/ogg",
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
]);

type Sending = { request: FastifyRequest; reply: FastifyReply; media: MediaStore; disposition: "inline" | "attachment" };

/** Answers with the bytes of an asset, or with the part of them that is asked for. */
export async function sendAsset(asset: StoredAsset, { request, reply, media, disposition }: Sending): Promise<FastifyReply> {
  const etag = `"${asset.sha256.slice(0, 32)}"`;
  const inPlace = shownInPlace.has(asset.mime) && disposition === "inline";
  reply.headers({
    "content-type": shownInPlace.has(asset.mime) ? asset.mime : "application/octet-stream",
    "content-disposition": inPlace ? "inline" : "attachment",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "private, max-age=3600",
    "accept-ranges": "bytes",
    etag,
  });
  if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send();
  const stale = request.headers["if-range"] !== undefined && request.headers["if-range"] !== etag;
  const range = stale ? null : rangeOf(request.headers.range, asset.bytes);
  if (range === "unsatisfiable") return reply.code(416).header("content-range", `bytes */${asset.bytes}`).send();
  const part = range ?? { start: 0, end: asset.bytes - 1 };
  reply.header("content-length", String(part.end - part.start + 1));
  if (range !== null) reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${asset.bytes}`);
  // An empty stream, because Fastify would take the length of anything else for that of the asset.
  if (request.method === "HEAD") return reply.send(Readable.from([]));
  const { stream } = await media.open(asset.storageKey, part);
  return reply.send(stream);
}

type SendingThere = { reply: FastifyReply; presign: NonNullable<MediaStore["presign"]>; disposition: "inline" | "attachment" };

// Long enough to begin a download, and to seek in a video for a while.
const thereSeconds = 900;

/** Sends a client to where an asset lies. */
export async function sendThere(asset: StoredAsset, { reply, presign, disposition }: SendingThere): Promise<FastifyReply> {
  const inPlace = shownInPlace.has(asset.mime) && disposition === "inline";
  const location = await presign(asset.storageKey, {
    expiresSeconds: thereSeconds,
    disposition: inPlace ? "inline" : "attachment",
    mime: shownInPlace.has(asset.mime) ? asset.mime : "application/octet-stream",
    name: asset.name ?? "",
  });
  return reply.code(302).headers({ location, "cache-control": "private, no-store" }).send();
}

type Range = { start: number; end: number };

/** One range of bytes as the header asks for it: null for the whole, "unsatisfiable" when it lies outside. */
function rangeOf(header: string | undefined, size: number): Range | null | "unsatisfiable" {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (parts === null) return null;
  const [, first = "", last = ""] = parts;
  if (first === "" && last === "") return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || end < start || (first === "" && Number(last) === 0) ? "unsatisfiable" : { start, end };
}

/** Whether the tags that a client has (a list, some of them weak, or any at all) hold this one. */
function isKnown(tags: string | undefined, etag: string): boolean {
  const known = (tags ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
