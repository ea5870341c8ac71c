import assert from "node:assert/strict";
import { test } from "node:test";
import { createCanvas } from "@napi-rs/canvas";
import { isCutOff } from "./image-end.ts";

const canvas = createCanvas(120, 90);
canvas.getContext("2d").fillRect(10, 10, 50, 50);
const pictures = { png: canvas.encodeSync("png"), jpeg: canvas.encodeSync("jpeg", 80), webp: canvas.encodeSync("webp", 80) };

for (const [format, whole] of Object.entries(pictures)) {
  test(`a ${format} is whole, also with something behind it, and cut off without its end`, () => {
    assert.equal(isCutOff(whole), false);
    assert.equal(isCutOff(Buffer.concat([whole, Buffer.alloc(7)])), false);
    for (const share of [0.92, 0.97]) assert.equal(isCutOff(whole.subarray(0, Math.floor(whole.byteLength * share))), true, `${share}`);
    assert.equal(isCutOff(whole.subarray(0, whole.byteLength - 1)), true);
  });
}

test("a thumbnail inside a picture is not its end", () => {
  const [start, rest] = [pictures.jpeg.subarray(0, 2), pictures.jpeg.subarray(2)];
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1, 0);
  head.writeUInt16BE(pictures.jpeg.byteLength + 2, 2);
  const whole = Buffer.concat([start, head, pictures.jpeg, rest]);
  assert.equal(isCutOff(whole), false);
  assert.equal(isCutOff(whole.subarray(0, whole.byteLength - 20)), true);
});

test("what is no picture has no end to miss", () => {
  assert.equal(isCutOff(Buffer.from("GIF89a")), false);
  assert.equal(isCutOff(new Uint8Array()), false);
});
