import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import type { TestContext } from "node:test";
import { Failure } from "../../src/core/errors.ts";
import type { MediaStore } from "../../src/core/ports.ts";

/** A store of a kind, empty, and what lies in it: keys of media, and everything else that takes room. */
export type MediaHouse = { media: MediaStore; keys(): string[]; leftovers(): string[] };

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAACQAAAAYCAIAAAAd2sgZ", "base64");
const limits = { maxBytes: 64 * 1024 * 1024 };
const mebibyte = 1024 * 1024;
const missing = (error: unknown) => error instanceof Failure && error.code === "not_found";
const tooLarge = (error: unknown) => error instanceof Failure && error.code === "too_large";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What every store of media promises. */
export function mediaStoreCases(kind: string, open: (t: TestContext) => MediaHouse): void {
  test(`${kind}: bytes, a file and a stream are each kept whole, measured and typed by content`, async (t) => {
    const { media, keys, leftovers } = open(t);
    const content = Buffer.concat([png, randomBytes(900_000)]);
    const path = fileOf(t, content);
    for (const source of [
      { bytes: content },
      { path },
      { stream: pieces(content.subarray(0, 3), content.subarray(3, 700_000), content.subarray(700_000)) },
    ]) {
      const kept = await media.put(source, limits);
      assert.deepEqual(kept, { key: kept.key, bytes: content.length, sha256: sha256(content), mime: "image/png" });
      assert.match(kept.key, /^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
      assert.deepEqual(Buffer.from(await media.read(kept.key)), content);
    }
    assert.deepEqual(readFileSync(path), content);
    assert.deepEqual([keys().length, leftovers()], [3, []]);
  });

  test(`${kind}: twenty mebibytes are kept whole, from a file and from a stream of odd pieces`, async (t) => {
    const { media, keys, leftovers } = open(t);
    const content = Buffer.concat([png, randomBytes(20 * mebibyte - png.length)]);
    const third = Math.floor(content.length / 3) + 1;
    const odd = pieces(Buffer.alloc(0), content.subarray(0, third), content.subarray(third, 2 * third), content.subarray(2 * third));
    for (const source of [{ path: fileOf(t, content) }, { stream: odd }]) {
      const kept = await media.put(source, limits);
      assert.deepEqual([kept.bytes, kept.sha256, kept.mime], [content.length, sha256(content), "image/png"]);
      assert.ok(content.equals(await media.read(kept.key)));
      const from = 5 * mebibyte - 10;
      const { stream, bytes } = await media.open(kept.key, { start: from, end: from + 19 });
      assert.deepEqual([await bytesOf(stream), bytes], [content.subarray(from, from + 20), content.length]);
    }
    assert.deepEqual([keys().length, leftovers()], [2, []]);
  });

  test(`${kind}: content of exactly one part or two is kept whole`, async (t) => {
    const { media } = open(t);
    for (const bytes of [randomBytes(5 * mebibyte), randomBytes(10 * mebibyte), randomBytes(5 * mebibyte + 1)]) {
      const { key } = await media.put({ bytes }, limits);
      assert.ok(bytes.equals(await media.read(key)), String(bytes.length));
    }
  });

  test(`${kind}: content that is not known media is plain bytes, and so is nothing at all`, async (t) => {
    const { media } = open(t);
    assert.equal((await media.put({ bytes: Buffer.from("<html>") }, limits)).mime, "application/octet-stream");
    const empty = await media.put({ bytes: new Uint8Array() }, limits);
    assert.deepEqual([empty.bytes, empty.mime, (await media.read(empty.key)).length], [0, "application/octet-stream", 0]);
    const { stream, bytes } = await media.open(empty.key);
    assert.deepEqual([await bytesOf(stream), bytes], [Buffer.alloc(0), 0]);
  });

  for (const [size, maxBytes] of [
    ["small", 10_000],
    ["large", 12 * mebibyte],
  ] as const) {
    test(`${kind}: more than a ${size} limit is refused and leaves nothing, and its source is let go`, async (t) => {
      const { media, keys, leftovers } = open(t);
      let released = false;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          for (;;) yield Buffer.alloc(maxBytes / 10);
        } finally {
          released = true;
        }
      }
      const tooMuch = Buffer.alloc(maxBytes + 1);
      for (const source of [{ bytes: tooMuch }, { path: fileOf(t, tooMuch) }, { stream: endless() }]) {
        await assert.rejects(media.put(source, { maxBytes }), tooLarge);
      }
      assert.equal((await media.put({ bytes: Buffer.alloc(maxBytes) }, { maxBytes })).bytes, maxBytes);
      assert.deepEqual([keys().length, leftovers(), released], [1, [], true]);
    });
  }

  test(`${kind}: a source that fails midway leaves nothing and keeps its own error`, async (t) => {
    const { media, keys, leftovers } = open(t);
    for (const bytes of [100_000, 13 * mebibyte]) {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(bytes);
        throw Object.assign(new Error("the line went dead"), { code: "ECONNRESET" });
      }
      await assert.rejects(media.put({ stream: broken() }, limits), /the line went dead/);
    }
    await assert.rejects(media.put({ path: join(tmpdir(), "no such file") }, limits), /ENOENT/);
    assert.deepEqual([keys(), leftovers()], [[], []]);
  });

  test(`${kind}: a range gives exactly its bytes and the size of the whole`, async (t) => {
    const { media } = open(t);
    const { key } = await media.put({ bytes: Buffer.from("0123456789") }, limits);
    const cases: [{ start: number; end: number } | undefined, string][] = [
      [undefined, "0123456789"],
      [{ start: 0, end: 0 }, "0"],
      [{ start: 3, end: 5 }, "345"],
      [{ start: 9, end: 9 }, "9"],
      [{ start: 8, end: 99 }, "89"],
      [{ start: 0, end: 9 }, "0123456789"],
    ];
    for (const [range, text] of cases) {
      const { stream, bytes } = await media.open(key, range);
      assert.deepEqual([(await bytesOf(stream)).toString(), bytes], [text, 10]);
    }
    for (const range of [
      { start: 10, end: 12 },
      { start: 5, end: 4 },
      { start: -1, end: 4 },
      { start: NaN, end: 4 },
    ]) {
      await assert.rejects(media.open(key, range), RangeError);
    }
  });

  test(`${kind}: a stream that nobody reads to its end can be let go`, async (t) => {
    const { media } = open(t);
    const { key } = await media.put({ bytes: Buffer.alloc(8 * mebibyte) }, limits);
    const { stream } = await media.open(key);
    const closed = new Promise((done) => stream.once("close", done));
    stream.destroy();
    await closed;
    assert.equal((await media.read(key)).length, 8 * mebibyte);
  });

  test(`${kind}: what was removed is gone, and removing it again is fine`, async (t) => {
    const { media, keys } = open(t);
    const { key } = await media.put({ bytes: png }, limits);
    await media.remove(key);
    await media.remove(key);
    await assert.rejects(media.read(key), missing);
    await assert.rejects(media.open(key), missing);
    await assert.rejects(media.open(key, { start: 0, end: 0 }), missing);
    assert.deepEqual(keys(), []);
  });

  test(`${kind}: no key reaches anything that was not put there`, async (t) => {
    const { media } = open(t);
    const { key } = await media.put({ bytes: png }, limits);
    for (const text of strangeKeys(key)) {
      for (const use of [() => media.read(text), () => media.open(text), () => media.remove(text)])
        await assert.rejects(use, missing, JSON.stringify(text));
    }
    assert.equal((await media.read(key)).length, png.length);
  });

  test(`${kind}: free space is told in bytes`, async (t) => {
    const free = await open(t).media.freeBytes();
    assert.ok(Number.isSafeInteger(free) && free > 0, String(free));
  });

  test(`${kind}: many puts at once keep every medium apart`, async (t) => {
    const { media } = open(t);
    const contents = Array.from({ length: 40 }, () => randomBytes(2000));
    const kept = await Promise.all(contents.map((bytes) => media.put({ bytes }, limits)));
    assert.equal(new Set(kept.map(({ key }) => key)).size, 40);
    for (const [index, { key }] of kept.entries()) assert.deepEqual(Buffer.from(await media.read(key)), contents[index]);
  });

  test(`${kind}: what was made before a time is found, and nothing newer`, async (t) => {
    const { media } = open(t);
    const kept = await Promise.all([1, 2, 3].map((byte) => media.put({ bytes: Buffer.of(byte) }, limits)));
    const found = await Array.fromAsync(media.keysBefore(Date.now() + 1_000));
    assert.deepEqual(found.flat().toSorted(), kept.map(({ key }) => key).toSorted());
    assert.deepEqual(await Array.fromAsync(media.keysBefore(Date.now() - 60_000)), []);
  });
}

function strangeKeys(key: string): string[] {
  const [a = "", b = "", id = ""] = key.split("/");
  return [
    "",
    ".",
    "..",
    "../secret",
    "/etc/passwd",
    `${a}/${b}/../../../secret`,
    `${a}/${b}/${id}/../../../../secret`,
    `${a}/${b}`,
    id,
    `/${key}`,
    `./${key}`,
    `${key}/`,
    `${key}\n`,
    `${key}\0`,
    `${key}?uploads`,
    key.toUpperCase(),
    key.replaceAll("/", "\\"),
    `${a}//${b}/${id}`,
    `${b}/${a}x/${id}`,
    `%2e%2e/${b}/${id}`,
    "partial",
    `partial/${b}/${id}`,
    `${a}/${b}/..`,
  ];
}

function fileOf(t: TestContext, content: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "genway-source-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "made.exe");
  writeFileSync(path, content);
  return path;
}

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream));
}
