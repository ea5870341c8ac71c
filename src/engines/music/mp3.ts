import { setImmediate as nextTurn } from "node:timers/promises";
import { loadPackage } from "../optional-package.ts";
import { sampleRate, type Stereo } from "./band.ts";

/** Encodes a recording as an MP3 of 192 kb/s that carries its title. */
export async function encodeMp3({ left, right }: Stereo, title: string): Promise<Uint8Array> {
  const { createMp3Encoder } = await loadPackage("wasm-media-encoders", () => import("wasm-media-encoders"));
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate, channels: 2, bitrate: 192 });
  const parts: Uint8Array[] = [titleTag(title)];
  for (let at = 0; at < left.length; at += sampleRate) {
    // The encoder hands out its own buffer, which the next call overwrites.
    parts.push(Uint8Array.from(encoder.encode([left.subarray(at, at + sampleRate), right.subarray(at, at + sampleRate)])));
    await nextTurn();
  }
  parts.push(Uint8Array.from(encoder.finalize()));
  return Buffer.concat(parts);
}

/** An ID3v2.3 tag with the title in UTF-16, which every player reads. */
function titleTag(title: string): Uint8Array {
  const text = Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(title.slice(0, 200), "utf16le")]);
  const frame = Buffer.concat([Buffer.from("TIT2"), Buffer.alloc(6), text]);
  frame.writeUInt32BE(text.length, 4);
  const header = Buffer.concat([Buffer.from("ID3"), Buffer.from([3, 0, 0, 0, 0, 0, 0])]);
  // Sizes in this header use seven bits of each byte.
  for (let index = 0; index < 4; index++) header[9 - index] = (frame.length >> (7 * index)) & 0x7f;
  return Buffer.concat([header, frame]);
}
