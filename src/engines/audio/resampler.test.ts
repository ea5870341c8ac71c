import assert from "node:assert/strict";
import { test } from "node:test";
import { createResampler, joinSamples, resample } from "./resampler.ts";

const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from({ length: Math.round(rate * seconds) }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / rate));
const loudness = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

test("a tone keeps its pitch, level and length at another rate", () => {
  const made = resample(tone(1000, 44_100, 0.5), 44_100, 16_000);
  const wished = tone(1000, 16_000, 0.5);
  assert.equal(made.length, wished.length);
  const worst = made.slice(200, -200).reduce((top, value, index) => Math.max(top, Math.abs(value - (wished[index + 200] ?? 0))), 0);
  assert.ok(worst < 0.003, `off by ${worst}`);
});

test("what the new rate cannot carry is gone instead of folding back", () => {
  const made = resample(tone(10_000, 48_000, 0.5), 48_000, 16_000);
  assert.ok(loudness(made.slice(200, -200)) < 0.001);
});

test("a recording in pieces comes out as if it were whole", () => {
  const whole = tone(700, 48_000, 0.3);
  const resampler = createResampler(48_000, 22_050);
  const pieces: Float32Array[] = [];
  for (let at = 0; at < whole.length; at += 777) pieces.push(resampler.push(whole.subarray(at, at + 777)));
  pieces.push(resampler.finish());
  const made = joinSamples(pieces);
  const once = resample(whole, 48_000, 22_050);
  assert.equal(made.length, once.length);
  assert.ok(made.every((value, index) => Math.abs(value - (once[index] ?? 9)) < 1e-6));
});
