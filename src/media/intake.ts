import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Failure } from "../core/errors.ts";
import type { MediaStore } from "../core/ports.ts";
import { sniffMime } from "../kit/sniff.ts";

export type Source = Parameters<MediaStore["put"]>[0];
export type Digest = { bytes: number; sha256: string; mime: string };

export type Intake = {
  /** What the source gives, refused where it becomes more than the limit. */
  chunks: AsyncGenerator<Uint8Array>;
  /** What the first bytes show; certain once 4 KiB or everything has passed. */
  mime(): string;
  /** To be asked once, when everything has passed. */
  digest(): Digest;
};

const headBytes = 4096;
const pieceBytes = 256 * 1024;

/** The bytes of a source on their way in, counted, hashed and typed as they pass. */
export function takeIn(source: Source, maxBytes: number): Intake {
  const hash = createHash("sha256");
  let bytes = 0;
  let head = Buffer.alloc(0);
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(source)) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new Failure("too_large", { says: `The file is larger than ${maxBytes} bytes.` });
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      hash.update(chunk);
      yield chunk;
    }
  }
  const mime = () => sniffMime(head) ?? "application/octet-stream";
  return { chunks: measured(), mime, digest: () => ({ bytes, sha256: hash.digest("hex"), mime: mime() }) };
}

async function* chunksOf(source: Source): AsyncGenerator<Uint8Array> {
  if ("stream" in source) yield* source.stream;
  else if ("path" in source) yield* createReadStream(source.path, { highWaterMark: pieceBytes });
  else {
    // In pieces, so that hashing a large file does not hold up everyone else.
    for (let at = 0; at < source.bytes.byteLength; at += pieceBytes) yield source.bytes.subarray(at, at + pieceBytes);
  }
}
