import { setImmediate as nextTurn } from "node:timers/promises";
import { loadPackage } from "../optional-package.ts";

/** A recording of one channel, or of two of equal length. */
export type Mp3Input = { channels: [Float32Array] | [Float32Array, Float32Array]; sampleRate: number; kilobits: 96 | 192 };

/** Encodes a recording as MP3 of a constant bit rate. */
export async function encodeMp3({ channels, sampleRate, kilobits }: Mp3Input): Promise<Uint8Array> {
  const { createMp3Encoder } = await loadPackage("wasm-media-encoders", () => import("wasm-media-encoders"));
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate, channels: channels.length, bitrate: kilobits });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < channels[0].length; at += sampleRate) {
    // The encoder hands out its own buffer, which the next call overwrites.
    parts.push(Uint8Array.from(encoder.encode(channels.map((side) => side.subarray(at, at + sampleRate)))));
    await nextTurn();
  }
  parts.push(Uint8Array.from(encoder.finalize()));
  return Buffer.concat(parts);
}
