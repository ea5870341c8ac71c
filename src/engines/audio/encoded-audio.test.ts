import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { EngineError } from "../engine-error.ts";
import { speechFormats } from "../job.ts";
import { decodeAudio } from "./decoded-audio.ts";
import { encodings } from "./encoded-audio.ts";
import { toInt16 } from "./wav.ts";

const folder = await mkdtemp(join(tmpdir(), "genway-audio-"));
after(() => rm(folder, { recursive: true, force: true }));
const rate = 24_000;
/** A tone of 440 Hz that ends half-way through a codec's frame, behind half a second of silence. */
const recording = Float32Array.from({ length: 31_337 }, (_, index) =>
  index < 12_000 ? 0 : 0.5 * Math.sin((2 * Math.PI * 440 * index) / rate),
);

const save = async (name: string, bytes: Uint8Array | string) => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
};

for (const format of speechFormats.filter((name) => name !== "pcm")) {
  test(`a recording survives ${format}: its length, its silence and its tone`, async () => {
    const bytes = await encodings[format].encode(recording, rate);
    const heard = await decodeAudio(await save(`tone.${format}`, bytes), rate);
    assert.ok(heard.length >= recording.length - 1 && heard.length - recording.length < 0.12 * rate, `${heard.length} samples`);
    assert.ok(strength(heard.subarray(2000, 9000)) < 0.01);
    assert.ok(strength(heard.subarray(16_000, 30_000)) > 0.4);
  });
}

/** The share of 440 Hz in a stretch. */
function strength(samples: Float32Array): number {
  let cosine = 0;
  let sine = 0;
  for (const [index, value] of samples.entries()) {
    cosine += value * Math.cos((2 * Math.PI * 440 * index) / rate);
    sine += value * Math.sin((2 * Math.PI * 440 * index) / rate);
  }
  return (2 * Math.hypot(cosine, sine)) / samples.length;
}

test("WAV has a header of 44 bytes, and PCM is the same without it", async () => {
  const wav = Buffer.from(await encodings.wav.encode(recording, rate));
  assert.equal(wav.toString("latin1", 0, 4) + wav.toString("latin1", 8, 16), "RIFFWAVEfmt ");
  assert.deepEqual(
    [wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34), wav.readUInt32LE(40)],
    [1, rate, 16, recording.length * 2],
  );
  assert.deepEqual(wav.subarray(44), Buffer.from(await encodings.pcm.encode(recording, rate)));
});

test("FLAC gives back every sample, of noise, of speech-like sound, of full scale and of very short pieces", async () => {
  let state = 1;
  const noise = () => ((state = Math.imul(state, 1_103_515_245) + 12_345) >> 8) / 2 ** 23;
  const cases = {
    noise: Float32Array.from({ length: 9000 }, noise),
    smooth: recording,
    extremes: Float32Array.from({ length: 5000 }, (_, index) => (index % 2 === 0 ? 1 : -1)),
    short: Float32Array.of(0.5, -0.25, 0.1),
    many: Float32Array.from({ length: 4096 * 130 }, (_, index) => (index % 4096 === 0 ? 0.5 : 0)),
  };
  for (const [name, samples] of Object.entries(cases)) {
    const heard = await decodeAudio(await save(`${name}.flac`, await encodings.flac.encode(samples, rate)), rate);
    assert.equal(heard.length, samples.length, name);
    assert.ok(
      heard.every((value, index) => Math.round(value * 32_768) === toInt16(samples[index] ?? 0)),
      name,
    );
  }
});

for (const [what, content] of [
  ["empty", ""],
  ["text", "this is not sound ".repeat(200)],
  ["a damaged WAV", "RIFF\u0010\u0000\u0000\u0000WAVEfmt "],
] as const) {
  test(`a file that is ${what} is refused with a sentence`, async () => {
    const path = await save("bad.wav", content);
    const refusal = (error: unknown) =>
      error instanceof EngineError && error.reason === "invalid" && error.message.startsWith("The audio file cannot be read: ");
    await assert.rejects(decodeAudio(path, rate), refusal);
  });
}
