import { mediaBytes, mediaType } from "../media.ts";

/** A sound in one of the formats of speech; null where there is no such format. */
export function soundOf(format: string): { bytes: Uint8Array; mime: string } | null {
  // What a WAV file has behind its header is raw samples.
  if (format === "pcm") return { bytes: mediaBytes("tone.wav").subarray(wavHeaderBytes), mime: "audio/pcm" };
  const file = files[format];
  return file === undefined ? null : { bytes: mediaBytes(file), mime: mediaType(file) };
}

const wavHeaderBytes = 44;
const files: Record<string, string> = {
  mp3: "tone.mp3",
  wav: "tone.wav",
  flac: "tone.flac",
  aac: "tone.aac",
  opus: "tone.ogg",
};

/** Media in the pieces that a stream sends them in. */
export function* piecesOf(bytes: Uint8Array, size = 1_024): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** How long a sound lasts: exactly where it is WAV, and otherwise as if it had 128 kbit/s. */
export function secondsOfSound(bytes: Uint8Array): number {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWav = view.length > wavHeaderBytes && view.toString("latin1", 0, 4) === "RIFF" && view.toString("latin1", 8, 12) === "WAVE";
  const bytesPerSecond = isWav ? view.readUInt32LE(28) : 16_000;
  return (view.length - (isWav ? wavHeaderBytes : 0)) / Math.max(bytesPerSecond, 1);
}

/** How many characters a text has, each counted once however many bytes it takes. */
export function charactersIn(text: string): number {
  return Array.from(text).length;
}
