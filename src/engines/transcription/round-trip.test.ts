import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { decodeAudio } from "../audio/decoded-audio.ts";
import { encodings } from "../audio/encoded-audio.ts";
import { encodeWav } from "../audio/wav.ts";
import { EngineError } from "../engine-error.ts";
import type { SpeechJob, TranscriptionJob } from "../job.ts";
import { medianPitch, trackPitch } from "../speech/pitch.ts";
import { speak } from "../speech/speech.ts";
import { transcribe } from "./transcription.ts";

const folder = await mkdtemp(join(tmpdir(), "genway-round-trip-"));
after(() => rm(folder, { recursive: true, force: true }));
const ignore = () => {};

const say = (job: Partial<SpeechJob>) =>
  speak(
    { engine: "speech", outDir: folder, text: "Hello from the generation gateway.", voice: "alloy", speed: 1, format: "wav", ...job },
    ignore,
  );
const hear = (path: string, job: Partial<TranscriptionJob> = {}) =>
  transcribe({ engine: "transcription", outDir: folder, path, temperature: 0, words: false, translate: false, ...job }, ignore);

test("what is spoken is understood, with its language and times", async () => {
  const spoken = await say({});
  const heard = await hear(spoken.path, { words: true });
  assert.match(heard.text, /generation gateway/i);
  assert.equal(heard.language, "en");
  assert.equal(heard.durationSeconds, Math.round(spoken.durationSeconds * 100) / 100);
  const [segment] = heard.segments;
  assert.ok(segment !== undefined && segment.start < 0.5 && segment.end > 1.5 && segment.end <= heard.durationSeconds);
  assert.ok(segment.noSpeechProbability < 0.5 && segment.averageLogprob > -1 && segment.compressionRatio > 0.3);
  assert.deepEqual(
    heard.words.map(({ word }) => word),
    heard.text.split(" "),
  );
  assert.ok(heard.words.every(({ start, end }, index) => end > start && start >= (heard.words[index - 1]?.end ?? 0) - 0.011));
});

for (const format of ["mp3", "opus", "flac", "aac"] as const) {
  test(`what is spoken is understood through ${format}`, async () => {
    const samples = await decodeAudio(join(folder, "speech.wav"), 24_000);
    const path = join(folder, `copy.${encodings[format].extension}`);
    await writeFile(path, await encodings[format].encode(samples, 24_000));
    const heard = await hear(path, { language: "en" });
    assert.match(heard.text, /generation/i);
    assert.match(heard.text, /gateway/i);
  });
}

test("voices differ in pitch and speed changes only the length", async () => {
  const pitchOf = async (path: string) => medianPitch(trackPitch(await decodeAudio(path, 24_000), 24_000));
  const plain = await say({});
  const plainPitch = await pitchOf(plain.path);
  const low = await pitchOf((await say({ voice: "onyx" })).path);
  const high = await pitchOf((await say({ voice: "nova" })).path);
  assert.ok(low < plainPitch * 0.9 && high > plainPitch * 1.3, `${low} ${plainPitch} ${high}`);
  const fast = await say({ speed: 2 });
  const ratio = plain.durationSeconds / fast.durationSeconds;
  assert.ok(ratio > 1.7 && ratio < 2.3, `${ratio}`);
  assert.ok(Math.abs((await pitchOf(fast.path)) / plainPitch - 1) < 0.15);
});

test("a text without a word is a short silence, in which nothing is heard", async () => {
  const spoken = await say({ text: "\u0000 … 日本語 🎉", format: "wav" });
  assert.equal(spoken.durationSeconds, 0.3);
  assert.equal((await readFile(spoken.path)).length, 44 + 0.3 * 24_000 * 2);
  const heard = await hear(spoken.path);
  assert.deepEqual([heard.text, heard.segments], ["", []]);
});

test("a long recording is heard window by window, and each part is found once", async () => {
  const { path } = await say({});
  const sentence = await decodeAudio(path, 16_000);
  const long = new Float32Array(16_000 * 36);
  for (const seconds of [1, 32]) long.set(sentence, seconds * 16_000);
  const longPath = join(folder, "long.wav");
  await writeFile(longPath, encodeWav(long, 16_000));
  const heard = await hear(longPath, { language: "en", prompt: "Generation Gateway" });
  assert.equal(heard.text.match(/gateway/gi)?.length, 2, heard.text);
  const last = heard.segments.at(-1);
  assert.ok(last !== undefined && last.end > 32.5 && last.end <= 36, `${last?.end}`);
});

test("a language that the recogniser does not know is refused", async () => {
  const { path } = await say({ text: "" });
  await assert.rejects(hear(path, { language: "xx" }), (error) => error instanceof EngineError && error.reason === "invalid");
});
