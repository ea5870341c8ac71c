import assert from "node:assert/strict";
import { test } from "node:test";
import { bandCount, frameCount, listenRate, melSpectrogram } from "./mel.ts";

const tone = (hertz: number) =>
  Float32Array.from({ length: listenRate }, (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / listenRate));
const loudestBand = (mel: Float32Array, frame: number) => {
  const column = Array.from({ length: bandCount }, (_, band) => mel[band * frameCount + frame] ?? 0);
  return column.indexOf(Math.max(...column));
};

test("a tone is loudest in its own band, and higher tones in higher bands", () => {
  // The bands lie 45.2 / 81 mel apart; 1 kHz is 15 mel, so it lies nearest to the middle of band 26.
  assert.equal(loudestBand(melSpectrogram(tone(1000)), 50), 26);
  assert.ok(loudestBand(melSpectrogram(tone(4000)), 50) > loudestBand(melSpectrogram(tone(2000)), 50));
});

test("levels lie within eight decades of the loudest, and silence is flat", () => {
  const mel = melSpectrogram(tone(500));
  const top = mel.reduce((most, value) => Math.max(most, value), -9);
  const bottom = mel.reduce((least, value) => Math.min(least, value), 9);
  assert.ok(Math.abs(top - bottom - 2) < 1e-5);
  assert.ok(melSpectrogram(new Float32Array(100)).every((value) => value === -1.5));
});
