import assert from "node:assert/strict";
import { test } from "node:test";
import { isAnimated } from "./animation.ts";

const start = Buffer.from("47494638396102000200800000000000ffffff", "hex");
const pause = Buffer.from("21f9040100000000", "hex");
const frame = Buffer.from("2c0000000002000200000202845100", "hex");
const coloured = Buffer.from("2c0000000002000200801122334455660202845100", "hex");
const end = Buffer.from("3b", "hex");

test("a GIF of several frames is animated, and one of a single frame is not", () => {
  assert.equal(isAnimated(Buffer.concat([start, pause, frame, pause, frame, end])), true);
  assert.equal(isAnimated(Buffer.concat([start, pause, coloured, frame, end])), true);
  assert.equal(isAnimated(Buffer.concat([start, pause, frame, end])), false);
  assert.equal(isAnimated(Buffer.concat([start, frame, pause, end])), false);
});

test("a GIF that is cut off shows no second frame", () => {
  const whole = Buffer.concat([start, pause, frame, pause, frame, end]);
  const second = start.length + 2 * pause.length + frame.length;
  for (let length = 0; length <= second; length++) assert.equal(isAnimated(whole.subarray(0, length)), false, String(length));
});

test("a WebP says itself whether it moves, and other pictures do not", () => {
  const webp = (flags: number) => Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0", "latin1"), Buffer.from([flags, 0, 0, 0])]);
  assert.equal(isAnimated(webp(0x02)), true);
  assert.equal(isAnimated(webp(0x10)), false);
  assert.equal(isAnimated(Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")), false);
  assert.equal(isAnimated(new Uint8Array()), false);
});
