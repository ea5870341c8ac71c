import { Readable } from "node:stream";
import { Type } from "typebox";
import { Failure } from "../core/errors.ts";
import { operation } from "./operation.ts";

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

export type Range = { start: number; end: number };

/** One range of bytes as the header asks for it: null for the whole, "unsatisfiable" when it lies outside. */
export function rangeOf(header: string | undefined, size: number): Range | null | "unsatisfiable" {
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

const getAsset = operation({
  method: "GET",
  url: "/assets/:id",
  tag: "assets",
  summary: "Read a result or an upload by its signed address",
  errors: "plain",
  auth: "open",
  params: Type.Object({ id: Type.String() }),
  async run({ params, request, reply }, { store, media, clock, verifyAsset }) {
    const query = request.url.slice(request.url.indexOf("?") + 1);
    const now = clock();
    const verdict = verifyAsset(params.id, query, now);
    if (verdict === "expired")
      throw new Failure("not_allowed", { says: "This address has expired; ask for the task or file again to get a new one." });
    const asset = verdict === "invalid" ? null : await store.asset({ id: params.id, account: null });
    if (verdict === "invalid" || asset === null || asset.expiresAt <= now) throw new Failure("not_found");
    const etag = `"${asset.sha256.slice(0, 32)}"`;
    const inPlace = shownInPlace.has(asset.mime) && verdict.disposition === "inline";
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
  },
});

export const assetOperations = [getAsset];
