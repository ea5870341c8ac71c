import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import type { TestContext } from "node:test";
import { Failure } from "../core/errors.ts";
import { createDiskMedia } from "./disk.ts";

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAACQAAAAYCAIAAAAd2sgZ", "base64");
const limits = { maxBytes: 5_000_000 };
const missing = (error: unknown) => error instanceof Failure && error.code === "not_found";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "genway-media-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const filesIn = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

test("bytes, a file and a stream are each kept whole, measured and typed by content", async (t) => {
  const root = folder(t);
  const media = createDiskMedia(join(root, "media"));
  const content = Buffer.concat([png, randomBytes(900_000)]);
  const path = join(root, "made.exe");
  writeFileSync(path, content);
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
  assert.equal(filesIn(join(root, "media")).length, 3);
});

test("content that is not known media is plain bytes, and so is nothing at all", async (t) => {
  const media = createDiskMedia(folder(t));
  assert.equal((await media.put({ bytes: Buffer.from("<html>") }, limits)).mime, "application/octet-stream");
  const empty = await media.put({ bytes: new Uint8Array() }, limits);
  assert.deepEqual([empty.bytes, empty.mime, (await media.read(empty.key)).length], [0, "application/octet-stream", 0]);
});

test("more than the limit is refused and leaves nothing, and its source is let go", async (t) => {
  const root = folder(t);
  const media = createDiskMedia(root);
  let released = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(1000);
    } finally {
      released = true;
    }
  }
  const path = join(folder(t), "big");
  writeFileSync(path, Buffer.alloc(10_001));
  for (const source of [{ bytes: Buffer.alloc(10_001) }, { path }, { stream: endless() }]) {
    await assert.rejects(media.put(source, { maxBytes: 10_000 }), (error) => error instanceof Failure && error.code === "too_large");
  }
  assert.equal((await media.put({ bytes: Buffer.alloc(10_000) }, { maxBytes: 10_000 })).bytes, 10_000);
  assert.deepEqual([filesIn(root).length, released], [1, true]);
});

test("a source that fails midway leaves nothing", async (t) => {
  const root = folder(t);
  const media = createDiskMedia(root);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(100_000);
    throw new Error("the line went dead");
  }
  await assert.rejects(media.put({ stream: broken() }, limits), /the line went dead/);
  await assert.rejects(media.put({ path: join(root, "no such file") }, limits), /ENOENT/);
  assert.deepEqual(filesIn(root), []);
});

test("a range gives exactly its bytes and the size of the whole", async (t) => {
  const media = createDiskMedia(folder(t));
  const { key } = await media.put({ bytes: Buffer.from("0123456789") }, limits);
  const cases: [{ start: number; end: number } | undefined, string][] = [
    [undefined, "0123456789"],
    [{ start: 0, end: 0 }, "0"],
    [{ start: 3, end: 5 }, "345"],
    [{ start: 9, end: 9 }, "9"],
    [{ start: 8, end: 99 }, "89"],
  ];
  for (const [range, text] of cases) {
    const { stream, bytes } = await media.open(key, range);
    assert.deepEqual([await textOf(stream), bytes], [text, 10]);
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

test("what was removed is gone, and removing it again is fine", async (t) => {
  const media = createDiskMedia(folder(t));
  const { key } = await media.put({ bytes: png }, limits);
  await media.remove(key);
  await media.remove(key);
  await assert.rejects(media.read(key), missing);
  await assert.rejects(media.open(key), missing);
});

test("no key reaches outside the folder or a file that was not put there", async (t) => {
  const root = folder(t);
  const media = createDiskMedia(join(root, "media"));
  writeFileSync(join(root, "secret"), "secret");
  const { key } = await media.put({ bytes: png }, limits);
  const [a = "", b = "", id = ""] = key.split("/");
  const wrong = [
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
    key.toUpperCase(),
    key.replaceAll("/", "\\"),
    `${a}//${b}/${id}`,
    `${b}/${a}x/${id}`,
    `00/00/${id}`,
    `%2e%2e/${b}/${id}`,
    "partial",
    `partial/${b}/${id}`,
    `${a}/${b}/..`,
  ];
  for (const text of wrong) {
    for (const use of [() => media.read(text), () => media.open(text), () => media.remove(text)])
      await assert.rejects(use, missing, JSON.stringify(text));
  }
  assert.equal((await media.read(key)).length, png.length);
});

test("a link planted in the folder is not followed", { skip: process.platform === "win32" }, async (t) => {
  const root = folder(t);
  const media = createDiskMedia(join(root, "media"));
  writeFileSync(join(root, "secret"), "secret");
  const key = "ab/cd/01890000-0000-7000-8000-00000000abcd";
  mkdirSync(join(root, "media", "ab", "cd"), { recursive: true });
  symlinkSync(join(root, "secret"), join(root, "media", key));
  await assert.rejects(media.read(key), /ELOOP/);
});

test("a killed process leaves a partial file, and the next start sweeps it", async (t) => {
  const root = folder(t);
  const script = `
    const { createDiskMedia } = await import(${JSON.stringify(new URL("./disk.ts", import.meta.url).href)});
    const hanging = async function* () { yield Buffer.alloc(50_000); console.log("half"); setInterval(() => {}, 1000); await new Promise(() => {}); };
    await createDiskMedia(${JSON.stringify(root)}).put({ stream: hanging() }, { maxBytes: 1e6 });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  createDiskMedia(root);
  assert.equal(filesIn(root).length, 1, "a live process keeps its file");
  child.kill("SIGKILL");
  await once(child, "exit");
  createDiskMedia(root);
  assert.deepEqual(filesIn(root), []);
});

test("the sweep spares what this process and other machines are writing, until it is a day old", async (t) => {
  const root = folder(t);
  const media = createDiskMedia(root);
  const partial = join(root, "partial");
  const here = hostname().replace(/[^\w-]/g, "-");
  writeFileSync(join(partial, "elsewhere.7.fresh"), "x");
  writeFileSync(join(partial, "elsewhere.7.old"), "x");
  utimesSync(join(partial, "elsewhere.7.old"), 0, (Date.now() - 25 * 3_600_000) / 1000);
  writeFileSync(join(partial, `${here}.${process.pid}.before-the-restart`), "x");
  let goOn: () => void = () => {};
  const waiting = new Promise<void>((done) => (goOn = done));
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield png;
    createDiskMedia(root);
    goOn();
    yield png;
  }
  const kept = await media.put({ stream: slow() }, limits);
  await waiting;
  assert.deepEqual(readdirSync(partial), ["elsewhere.7.fresh"]);
  assert.equal((await media.read(kept.key)).length, 2 * png.length);
});

test("free space is told in bytes", async (t) => {
  const free = await createDiskMedia(folder(t)).freeBytes();
  assert.ok(Number.isSafeInteger(free) && free > 0, String(free));
});

test("many puts at once keep every file apart", async (t) => {
  const root = folder(t);
  const media = createDiskMedia(root);
  const contents = Array.from({ length: 40 }, () => randomBytes(2000));
  const kept = await Promise.all(contents.map((bytes) => media.put({ bytes }, limits)));
  assert.equal(new Set(kept.map(({ key }) => key)).size, 40);
  for (const [index, { key }] of kept.entries()) assert.deepEqual(Buffer.from(await media.read(key)), contents[index]);
});

test("what was made before a time is found, and nothing newer", async () => {
  const place = mkdtempSync(join(tmpdir(), "genway-media-"));
  try {
    const media = createDiskMedia(place);
    const { key } = await media.put({ bytes: Buffer.from("x") }, { maxBytes: 10 });
    assert.deepEqual(await Array.fromAsync(media.keysBefore(Date.now() + 1_000)), [[key]]);
    assert.deepEqual(await Array.fromAsync(media.keysBefore(Date.now() - 60_000)), []);
  } finally {
    rmSync(place, { recursive: true });
  }
});
