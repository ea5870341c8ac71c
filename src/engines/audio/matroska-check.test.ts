import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadCodecs } from "./codecs.ts";
import { decodeAudio } from "./decoded-audio.ts";
import { canBeWalked } from "./matroska-check.ts";

const folder = await mkdtemp(join(tmpdir(), "genway-matroska-"));
after(() => rm(folder, { recursive: true, force: true }));

test("a whole WebM file is walked and read, and another file is not walked at all", async () => {
  const path = join(folder, "tone.webm");
  await writeFile(path, await makeWebm());
  assert.equal(await canBeWalked(path), true);
  assert.ok(Math.abs((await decodeAudio(path, 16_000)).length / 16_000 - 1) < 0.05);
  const other = join(folder, "other.bin");
  await writeFile(other, "no Matroska");
  assert.equal(await canBeWalked(other), true);
});

test("a WebM file that the reader chokes on is not walked to its end", async () => {
  const path = join(folder, "bad.webm");
  await writeFile(path, Buffer.from("1a45dfa3", "hex"));
  assert.equal(await canBeWalked(path), false);
});

async function makeWebm(): Promise<Uint8Array> {
  const bunny = await loadCodecs();
  const target = new bunny.BufferTarget();
  const output = new bunny.Output({ format: new bunny.WebMOutputFormat(), target });
  const source = new bunny.AudioSampleSource({ codec: "opus", bitrate: 32_000 });
  output.addAudioTrack(source);
  await output.start();
  for (let at = 0; at < 48_000; at += 960) {
    const data = Float32Array.from({ length: 960 }, (_, index) => 0.3 * Math.sin((2 * Math.PI * 440 * (at + index)) / 48_000));
    const sample = new bunny.AudioSample({ data, format: "f32", numberOfChannels: 1, sampleRate: 48_000, timestamp: at / 48_000 });
    await source.add(sample);
    sample.close();
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}
