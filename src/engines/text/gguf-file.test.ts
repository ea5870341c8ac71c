import assert from "node:assert/strict";
import { test } from "node:test";
import { buildGguf, halfPrecision, packBlocks } from "./gguf-file.ts";

test("numbers become the nearest half-precision float, over its whole range", () => {
  const known = [0, 0, 1, 0x3c00, 0.5, 0x3800, 65_504, 0x7bff, 1e6, 0x7c00, 2 ** -24, 1, 2 ** -14, 0x0400, 1 / 3, 0x3555, 0.99999, 0x3c00];
  for (let index = 0; index < known.length; index += 2)
    assert.equal(halfPrecision(known[index] ?? -1), known[index + 1], `of ${known[index]}`);
});

test("a packed block gives its numbers back within half a step", () => {
  const values = Float32Array.from({ length: 64 }, (_, index) => (index < 32 ? Math.sin(index) : 0));
  const packed = packBlocks(values);
  assert.equal(packed.length, 68);
  for (let index = 0; index < 32; index++) assert.ok(Math.abs(packed.readInt8(2 + index) / 127 - (values[index] ?? 0)) < 0.6 / 127);
  assert.ok(packed.subarray(34).every((byte) => byte === 0));
});

test("a file opens with its counts, and tables start on their boundaries", () => {
  const tensors = ["first", "second"].map((name) => ({ name, shape: [3], values: Float32Array.of(1, 2, 3), packed: false }));
  const file = buildGguf({ "general.name": { text: "tiny" } }, tensors);
  assert.equal(file.toString("latin1", 0, 4), "GGUF");
  assert.deepEqual([file.readUInt32LE(4), file.readBigUInt64LE(8), file.readBigUInt64LE(16)], [3, 2n, 1n]);
  assert.equal(file.length % 32, 0);
  assert.deepEqual([file.readFloatLE(file.length - 64), file.readFloatLE(file.length - 32)], [1, 1]);
});
