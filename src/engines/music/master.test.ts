import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleRate } from "./band.ts";
import { master, rms } from "./master.ts";

const tone = (level: number): { left: Float32Array; right: Float32Array } => {
  const side = Float32Array.from({ length: sampleRate * 3 }, (_, index) => level * Math.sin(index / 20) * (index % 9000 < 300 ? 4 : 1));
  return { left: side, right: side.slice() };
};

test("quiet and loud recordings come out equally loud, never clipped, and fade to nothing", () => {
  for (const level of [0.02, 0.1, 0.6]) {
    const sound = tone(level);
    master(sound, 1);
    const highest = sound.left.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(highest <= 0.8901 && highest > 0.5, `the peak is ${highest}`);
    assert.ok(rms(sound) > 0.1, `the level is ${rms(sound)}`);
    assert.ok(Math.abs(sound.left.at(-1) ?? 1) < 0.001);
  }
});

test("silence stays silence", () => {
  const sound = { left: new Float32Array(1000), right: new Float32Array(1000) };
  master(sound, 1);
  assert.equal(rms(sound), 0);
});
