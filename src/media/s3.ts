import type { MediaStore } from "../core/ports.ts";
import { checkKey, isKeyBefore, newKey } from "./media-key.ts";
import { createS3Client } from "./s3-client.ts";
import type { S3Client, S3Timing } from "./s3-client.ts";
import { failureOf, readFailureOf, S3Error } from "./s3-error.ts";
import { abortUpload, upload } from "./s3-upload.ts";
import type { S3Target } from "./s3-url.ts";
import { partsOf, textOf } from "./xml.ts";

export type Presigning = {
  /** At most seven days. */
  expiresSeconds: number;
  disposition: "inline" | "attachment";
  mime: string;
  /** Under which a browser saves it; empty for none. */
  name: string;
};

/** Media in a bucket, which clients may also be sent to. */
export type S3Media = MediaStore & { presign(key: string, options: Presigning): Promise<string> };

const longestPresignedSeconds = 7 * 24 * 60 * 60;

/** Media in a bucket of S3 or of a store that speaks like it: an object is there whole or not at all. */
export function createS3Media(target: S3Target, { clock = Date.now, pauseMs = 100 }: Partial<S3Timing> = {}): S3Media {
  const client = createS3Client(target, { clock, pauseMs });
  return {
    put: async (source, { maxBytes }) => {
      const key = newKey();
      return { key, ...(await told(upload(client, key, source, maxBytes), failureOf)) };
    },
    open: async (key, range) => {
      checkKey(key);
      if (range && !(range.start >= 0 && range.start <= range.end)) throw outside(range);
      return told(open(client, key, range), readFailureOf);
    },
    read: async (key) => told(client.bytes({ method: "GET", key: checkKey(key) }), readFailureOf),
    remove: async (key) => told(remove(client, checkKey(key)), failureOf),
    freeBytes: async () => {
      // There is always room; whether the bucket answers is what can be wrong.
      await told(client.text({ method: "HEAD", tries: 1 }), failureOf);
      return Number.MAX_SAFE_INTEGER;
    },
    keysBefore: (ms) => keysBefore(client, target.prefix, ms),
    presign: async (key, { expiresSeconds, disposition, mime, name }) => {
      const query = { "response-content-disposition": dispositionOf(disposition, name), "response-content-type": mime };
      return client.presign(checkKey(key), query, Math.max(1, Math.min(Math.floor(expiresSeconds), longestPresignedSeconds)));
    },
  };
}

type Range = { start: number; end: number };

async function told<T>(answer: Promise<T>, translate: (error: unknown) => unknown): Promise<T> {
  return answer.catch((error: unknown) => {
    throw translate(error);
  });
}

async function open(client: S3Client, key: string, range: Range | undefined): ReturnType<MediaStore["open"]> {
  const headers: Record<string, string> = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
  const { status, header, stream } = await client.open({ method: "GET", key, headers }).catch((error: unknown) => {
    throw range !== undefined && error instanceof S3Error && error.status === 416 ? outside(range, error) : error;
  });
  const part = status === 206 ? header("content-range") : `bytes 0-/${header("content-length")}`;
  const [, first = "", last = "", whole = ""] = /^bytes (\d+)-(\d*)\/(\d+)$/.exec(part) ?? [];
  const bytes = whole === "" ? Number.NaN : Number(whole);
  const isAsAsked = range === undefined || (Number(first) === range.start && Number(last || bytes - 1) === Math.min(range.end, bytes - 1));
  if (Number.isSafeInteger(bytes) && isAsAsked) return { stream, bytes };
  stream.destroy();
  throw new S3Error(status, "", "the object store does not tell sizes or does not keep to ranges");
}

function outside({ start, end }: Range, cause?: unknown): RangeError {
  return new RangeError(`bytes ${start} to ${end} are not in the file`, { cause });
}

async function remove(client: S3Client, key: string): Promise<void> {
  await client.text({ method: "DELETE", key }).catch((error: unknown) => {
    if (!(error instanceof S3Error && error.status === 404 && error.code !== "NoSuchBucket")) throw error;
  });
}

async function* keysBefore(client: S3Client, prefix: string, ms: number): AsyncGenerator<string[]> {
  await dropUploadsBefore(client, prefix, ms);
  let from: Record<string, string> = {};
  do {
    const query = { "list-type": "2", prefix, ...from };
    const { text } = await told(client.text({ method: "GET", query }), failureOf);
    const keys = partsOf(text, "Contents").map((item) => textOf(item, "Key").slice(prefix.length));
    const old = keys.filter((key) => isKeyBefore(key, ms));
    if (old.length > 0) yield old;
    from = { "continuation-token": textOf(text, "NextContinuationToken") };
  } while (from["continuation-token"] !== "");
}

/** What a killed process was sending lies there unseen, and is paid for. */
async function dropUploadsBefore(client: S3Client, prefix: string, ms: number): Promise<void> {
  for (let from: Record<string, string> | null = {}; from !== null;) {
    const { text }: { text: string } = await client.text({ method: "GET", query: { uploads: "", prefix, ...from } }).catch(unlisted);
    for (const item of partsOf(text, "Upload")) {
      const key = textOf(item, "Key").slice(prefix.length);
      if (isKeyBefore(key, ms)) await abortUpload(client, key, textOf(item, "UploadId"));
    }
    const [keyMarker, uploadMarker] = [textOf(text, "NextKeyMarker"), textOf(text, "NextUploadIdMarker")];
    from = textOf(text, "IsTruncated") === "true" && keyMarker ? { "key-marker": keyMarker, "upload-id-marker": uploadMarker } : null;
  }
}

// Some stores cannot list them or an operator does not allow it; a rule of the bucket may remove them instead.
function unlisted(error: unknown): { text: string } {
  if (error instanceof S3Error && [400, 403, 405, 501].includes(error.status)) return { text: "" };
  throw failureOf(error);
}

function dispositionOf(way: Presigning["disposition"], name: string): string {
  if (name === "") return way;
  const plain = name.replaceAll(/[^\w .-]/g, "_");
  if (plain === name) return `${way}; filename="${name}"`;
  return `${way}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, percent)}`;
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
