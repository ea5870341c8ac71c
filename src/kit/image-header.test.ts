import assert from "node:assert/strict";
import { test } from "node:test";
import { createCanvas } from "@napi-rs/canvas";
import { readImageHeader } from "./image-header.ts";

const canvas = createCanvas(37, 23);

test("the size of each kind of picture is read from its first bytes", () => {
  assert.deepEqual(readImageHeader(canvas.encodeSync("png")), { format: "png", width: 37, height: 23 });
  assert.deepEqual(readImageHeader(canvas.encodeSync("jpeg", 80)), { format: "jpeg", width: 37, height: 23 });
  assert.deepEqual(readImageHeader(canvas.encodeSync("webp", 80)), { format: "webp", width: 37, height: 23 });
  assert.deepEqual(readImageHeader(canvas.encodeSync("webp", 100)), { format: "webp", width: 37, height: 23 });
  assert.deepEqual(readImageHeader(canvas.encodeSync("gif", 10)), { format: "gif", width: 37, height: 23 });
});

test("anything else, and a header that is cut off, is no picture", () => {
  assert.equal(readImageHeader(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")), null);
  assert.equal(readImageHeader(new Uint8Array()), null);
  for (const format of ["png", "jpeg"] as const) {
    const whole = format === "png" ? canvas.encodeSync("png") : canvas.encodeSync("jpeg", 80);
    for (const length of [1, 3, 10, 15]) assert.equal(readImageHeader(whole.subarray(0, length)), null);
  }
});
