import assert from "node:assert/strict";
import { test } from "node:test";
import { aspectRatio } from "./aspect-ratio.ts";
import { extrasOf } from "../extras.ts";
import { frameOf, lengthOf, metadataOf, resolutionOf } from "./video-wishes.ts";

test("a size becomes a reduced shape and the nearest usual resolution", () => {
  assert.deepEqual([aspectRatio("1280x720", "size"), resolutionOf("1280x720")], [{ width: 16, height: 9 }, "720p"]);
  assert.deepEqual([aspectRatio("1024x1792", "size"), resolutionOf("1024x1792")], [{ width: 4, height: 7 }, "1080p"]);
  assert.deepEqual([aspectRatio("ASPECT_10_16"), resolutionOf("3840x2160")], [{ width: 5, height: 8 }, "2160p"]);
  for (const wrong of ["", "16", "0:9", "9:1", "1:9", "10001:10001"]) assert.throws(() => aspectRatio(wrong), { param: "aspect_ratio" });
  assert.throws(() => aspectRatio("9000x100", "size"), { param: "size", message: /^'size' must be/ });
});

test("the frame is what was said, or what follows from shape and resolution", () => {
  const input = { prompt: "x", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
  assert.deepEqual(frameOf(input), { width: 1280, height: 720 });
  assert.deepEqual(frameOf({ ...input, resolution: "1080p", aspectRatio: { width: 9, height: 16 } }), { width: 1080, height: 1920 });
  assert.deepEqual(frameOf({ ...input, resolution: "4k" }), { width: 3840, height: 2160 });
  assert.deepEqual(frameOf({ ...input, size: { width: 1792, height: 1024 } }), { width: 1792, height: 1024 });
});

test("a length may be a number or digits, and nothing means that nobody asked", () => {
  for (const wish of [8, "8", "8s"]) assert.deepEqual(lengthOf(wish, 5, "seconds"), { durationSeconds: 8 });
  for (const wish of [undefined, null, ""]) assert.deepEqual(lengthOf(wish, 5, "seconds"), { durationSeconds: 5, isDefaultDuration: true });
  for (const wish of ["0", "0s", "61s"]) assert.throws(() => lengthOf(wish, 5, "seconds"), { param: "seconds" });
});

test("metadata may be an object or its text, and nothing else", () => {
  assert.deepEqual(metadataOf('{"cfg":0.5}'), { cfg: 0.5 });
  assert.deepEqual([metadataOf(null), metadataOf("")], [{}, {}]);
  for (const wrong of ["[1]", "3", "not json"]) assert.throws(() => metadataOf(wrong), { code: "invalid_request" });
});

test("further wishes are plain values, few and short, and never what the price follows from", () => {
  const wishes = {
    cfg_scale: 0.5,
    mode: "pro",
    camera: { zoom: 1 },
    model: "dearer",
    duration: 60,
    seconds: "60",
    n: 4,
    empty: "",
    none: null,
  };
  assert.deepEqual(extrasOf(wishes), { extras: { cfg_scale: 0.5, mode: "pro" } });
  assert.deepEqual(extrasOf({ model: "x" }), {});
  assert.throws(() => extrasOf({ note: "x".repeat(5_001) }), { param: "note" });
  assert.throws(() => extrasOf(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, at]))), { code: "invalid_request" });
});
