import { createHash } from "node:crypto";

/** A piece of an upload; its bytes are good until the piece after the next one is asked for. */
export type Part = { bytes: Buffer; sha256: string; isLast: boolean };

/** What passes in parts of one size, the last one smaller; at least one, and never more than two in memory. */
export async function* partsOf(chunks: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Part> {
  let [space, other]: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  let used = 0;
  let hash = createHash("sha256");
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength;) {
      if (used === partBytes) {
        yield { bytes: space, sha256: hash.digest("hex"), isLast: false };
        [space, other] = [other, space];
        used = 0;
        hash = createHash("sha256");
      }
      const piece = chunk.subarray(at, at + partBytes - used);
      space = roomFor(used + piece.byteLength, space, used, partBytes);
      space.set(piece, used);
      hash.update(piece);
      used += piece.byteLength;
      at += piece.byteLength;
    }
  }
  yield { bytes: space.subarray(0, used), sha256: hash.digest("hex"), isLast: true };
}

// It grows as needed, because most media are far smaller than a part.
function roomFor(needed: number, space: Buffer, used: number, most: number): Buffer {
  if (space.length >= needed) return space;
  const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, space.length * 2, 64 * 1024)));
  space.copy(larger, 0, 0, used);
  return larger;
}
