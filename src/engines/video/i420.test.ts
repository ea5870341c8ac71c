import assert from "node:assert/strict";
import { test } from "node:test";
import { createI420, writeRgba } from "./i420.ts";

function planes(r: number, g: number, b: number): number[] {
  const rgba = Uint8Array.from(Array.from({ length: 16 }, (_, index) => [r, g, b, 255][index % 4] ?? 0));
  const out = createI420(2, 2)(rgba);
  return [out[0] ?? -1, out[4] ?? -1, out[5] ?? -1];
}

test("known colours have their BT.709 values in limited range", () => {
  assert.deepEqual(planes(0, 0, 0), [16, 128, 128]);
  assert.deepEqual(planes(255, 255, 255), [235, 128, 128]);
  assert.deepEqual(planes(255, 0, 0), [63, 102, 240]);
  assert.deepEqual(planes(0, 255, 0), [173, 42, 26]);
  assert.deepEqual(planes(0, 0, 255), [32, 240, 118]);
});

test("planes turn back into the colours they came from", () => {
  const colours = [
    [208, 48, 32],
    [20, 160, 64],
    [255, 255, 255],
    [0, 0, 0],
    [30, 60, 220],
  ] as const;
  for (const [r, g, b] of colours) {
    const rgba = Uint8Array.from(Array.from({ length: 16 * 4 }, (_, index) => [r, g, b, 255][index % 4] ?? 0));
    const encoded = createI420(4, 4)(rgba);
    const back = new Uint8ClampedArray(16 * 4);
    const layout = [
      { offset: 0, stride: 4 },
      { offset: 16, stride: 2 },
      { offset: 20, stride: 2 },
    ] as const;
    writeRgba(encoded, [...layout], { width: 4, height: 4 }, { matrix: "bt709", fullRange: false }, back);
    const last = [...back.subarray(60, 64)];
    assert.ok(
      [r, g, b, 255].every((value, at) => Math.abs(value - (last[at] ?? 0)) <= 2),
      `${last} instead of ${[r, g, b]}`,
    );
  }
});
