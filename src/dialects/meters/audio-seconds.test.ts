import assert from "node:assert/strict";
import { test } from "node:test";
import { audioSeconds } from "./audio-seconds.ts";

function wav(seconds: number, bytesPerSecond: number, told = bytesPerSecond): Uint8Array {
  const bytes = Buffer.alloc(44 + seconds * bytesPerSecond);
  bytes.write("RIFF", 0);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(told, 28);
  bytes.write("data", 36);
  return bytes;
}

test("a WAV file is as long as its header says its samples are", () => {
  assert.equal(audioSeconds(wav(3, 32_000)), 3);
  assert.equal(audioSeconds(wav(2, 176_400)), 2);
});

test("other files are guessed by their size", () => {
  assert.equal(audioSeconds(new Uint8Array(160_000)), 10);
  assert.equal(audioSeconds(new Uint8Array()), 0);
});

test("a file in the middle of a larger buffer is read from its own beginning", () => {
  const large = Buffer.concat([Buffer.alloc(100), wav(3, 32_000)]);
  assert.equal(audioSeconds(large.subarray(100)), 3);
});

test("a header that claims impossible samples does not make a recording free", () => {
  const liar = wav(60, 32_000, 0xffff_ffff);
  assert.ok(audioSeconds(liar) > 1, `${audioSeconds(liar)} s`);
});

test("a header of a file that is broken is no header", () => {
  assert.equal(audioSeconds(wav(1, 16_000, 0)), 16_044 / 16_000);
  assert.equal(audioSeconds(Buffer.from("RIFF")), 4 / 16_000);
});
