import type { MediaSource } from "../../core/kinds.ts";
import { isMedium } from "../upstream/reply.ts";
import type { Answered } from "../upstream/reply.ts";
import { fillAddress } from "./address.ts";
import { splitSend } from "./call.ts";
import type { JobCall } from "./call.ts";
import { readFirst, readText } from "./path.ts";
import type { Paths } from "./path.ts";
import type { Media } from "./spec.ts";

/** Finds a medium that starts at a record; null where it is not there. */
export type MediaReader = (record: unknown, media: Media | undefined) => MediaSource | null;

/** `reply` is the one that the record came in, which may itself be the medium. */
export function createMediaReader(call: Pick<JobCall, "locate" | "guarded">, places: object, secret: string, reply: Answered): MediaReader {
  const guard = (address: string | null): MediaSource | null => {
    const guarded = address === null ? null : call.guarded(address, secret);
    return guarded && { from: "url", ...guarded };
  };
  return (record, media) => {
    if (media === undefined) return null;
    if (isPaths(media)) return readAddress(record, media, call);
    if ("body" in media) return isMedium(reply) ? { from: "bytes", bytes: reply.bytes } : null;
    const elsewhere = "send" in media && media.unless !== undefined ? readAddress(record, media.unless, call) : null;
    // Some relays write the very address of the request here.
    if (elsewhere !== null) return elsewhere.from === "url" ? guard(elsewhere.url) : elsewhere;
    if ("send" in media)
      return guard(fillAddress(splitSend(media.send).template, { ...(typeof record === "object" && record), ...places, record }));
    const text = readText(record, media.at);
    if (text === undefined) return null;
    if (media.as === "guarded") return guard(call.locate(text));
    // Some answer with an address where they were asked for bytes.
    if (/^https?:\/\//i.test(text)) return readAddress(record, media.at, call);
    return readBytes(text, media.as);
  };
}

function isPaths(media: Media): media is Paths {
  return typeof media === "string" || Array.isArray(media);
}

function readAddress(record: unknown, paths: Paths, { locate }: Pick<JobCall, "locate">): MediaSource | null {
  const address = readFirst(record, paths);
  if (typeof address !== "string") return null;
  if (/^data:/i.test(address)) return readBytes(address, "base64");
  const url = locate(address);
  return url === null ? null : { from: "url", url };
}

function readBytes(text: string, as: "base64" | "hex"): MediaSource | null {
  const digits = text.replace(/^data:[^,]{0,200},/i, "");
  if (as === "hex" && (digits.length % 2 === 1 || !/^[0-9a-f]+$/i.test(digits))) return null;
  const bytes = Buffer.from(digits, as);
  return bytes.byteLength === 0 ? null : { from: "bytes", bytes };
}
