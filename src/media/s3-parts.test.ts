import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { partsOf } from "./s3-parts.ts";

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

/** Looks at each part when the next one has come, as an upload does. */
async function lateTexts(text: string, size: number, partBytes: number): Promise<string[]> {
  const found: string[] = [];
  let before: { bytes: Buffer; sha256: string } | null = null;
  const look = () => {
    if (before === null) return;
    assert.equal(createHash("sha256").update(before.bytes).digest("hex"), before.sha256);
    found.push(before.bytes.toString());
  };
  for await (const part of partsOf(pieces(text, size), partBytes)) {
    look();
    before = part;
    assert.equal(part.isLast, found.length === Math.max(0, Math.ceil(text.length / partBytes) - 1));
  }
  look();
  return found;
}

test("parts are of one size but for the last, however the pieces come", async () => {
  const text = "abcdefghijklmnopqrstuvwxy";
  for (const size of [1, 2, 3, 5, 7, 24, 25, 100]) {
    assert.deepEqual(await lateTexts(text, size, 10), ["abcdefghij", "klmnopqrst", "uvwxy"], String(size));
    assert.deepEqual(await lateTexts(text, size, 5), ["abcde", "fghij", "klmno", "pqrst", "uvwxy"], String(size));
    assert.deepEqual(await lateTexts(text, size, 100), [text]);
  }
});

test("nothing at all is one empty part", async () => {
  assert.deepEqual(await lateTexts("", 1, 10), [""]);
});

test("a source is let go when nobody wants more", async () => {
  let released = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(3);
    } finally {
      released = true;
    }
  }
  for await (const part of partsOf(endless(), 10)) if (part.bytes.length === 10) break;
  assert.ok(released);
});
