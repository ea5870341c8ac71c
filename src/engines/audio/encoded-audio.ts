import type { SpeechFormat } from "../job.ts";
import { encodeFlac } from "./flac.ts";
import { encodeMp3 } from "./mp3.ts";
import { encodePackets } from "./packet-encoder.ts";
import { encodePcm, encodeWav } from "./wav.ts";

type Encoding = { mime: string; extension: string; encode(samples: Float32Array, sampleRate: number): Uint8Array | Promise<Uint8Array> };

/** How a recording of one channel becomes a file of each format. */
export const encodings: Record<SpeechFormat, Encoding> = {
  mp3: {
    mime: "audio/mpeg",
    extension: "mp3",
    encode: (samples, sampleRate) => encodeMp3({ channels: [samples], sampleRate, kilobits: 96 }),
  },
  opus: { mime: "audio/ogg", extension: "opus", encode: (samples, sampleRate) => encodePackets(samples, sampleRate, "opus") },
  aac: { mime: "audio/aac", extension: "aac", encode: (samples, sampleRate) => encodePackets(samples, sampleRate, "aac") },
  flac: { mime: "audio/flac", extension: "flac", encode: encodeFlac },
  wav: { mime: "audio/wav", extension: "wav", encode: encodeWav },
  pcm: { mime: "audio/pcm", extension: "pcm", encode: encodePcm },
};
