import assert from "node:assert/strict";
import { test } from "node:test";
import { medianPitch, trackPitch } from "./pitch.ts";
import { reshape } from "./reshaping.ts";
import { findVoice, voiceNames } from "./voices.ts";

const rate = 24_000;
/** A buzz of 120 Hz with many overtones, as a throat makes it. */
const buzz = Float32Array.from({ length: rate }, (_, index) => {
  let sum = 0;
  for (let overtone = 1; overtone <= 20; overtone++) sum += Math.sin((2 * Math.PI * 120 * overtone * index) / rate) / overtone;
  return sum * 0.2;
});

for (const [pitch, stretch] of [
  [1.5, 1],
  [0.8, 1],
  [1, 2],
  [1.25, 0.5],
] as const) {
  test(`a voice is brought to ${pitch} times its pitch and ${stretch} times its length`, () => {
    const made = reshape(buzz, rate, { pitch, stretch });
    assert.equal(made.length, Math.round(buzz.length * stretch));
    assert.ok(Math.abs(medianPitch(trackPitch(made, rate)) - 120 * pitch) < 5);
    assert.ok(made.every(Number.isFinite));
  });
}

test("silence and noise have no pitch and pass through", () => {
  const silence = new Float32Array(4800);
  assert.equal(medianPitch(trackPitch(silence, rate)), 0);
  assert.deepEqual(reshape(silence, rate, { pitch: 1.4, stretch: 0.5 }), new Float32Array(2400));
  assert.equal(reshape(new Float32Array(0), rate, { pitch: 1.4, stretch: 2 }).length, 0);
});

test("every named voice differs from every other, and a name that is not known is the plain one", () => {
  const expected = "alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse";
  assert.equal([...voiceNames].sort().join(" "), expected);
  assert.equal(new Set(voiceNames.map((name) => JSON.stringify(findVoice(name)))).size, 13);
  assert.deepEqual(findVoice("nobody"), findVoice("alloy"));
});
