import assert from "node:assert/strict";
import { test } from "node:test";
import { createI420 } from "./i420.ts";

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
