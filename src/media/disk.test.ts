import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import type { TestContext } from "node:test";
import { Failure } from "../core/errors.ts";
import { createDiskMedia } from "./disk.ts";

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAACQAAAAYCAIAAAAd2sgZ", "base64");
const limits = { maxBytes: 5_000_000 };
const missing = (error: unknown) => error instanceof Failure && error.code === "not_found";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "genway-media-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const filesIn = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));

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
