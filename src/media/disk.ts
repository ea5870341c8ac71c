import { constants, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, statfs } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../core/errors.ts";
import type { MediaStore } from "../core/ports.ts";
import { errorCode } from "../kit/error-code.ts";
import { uuidv7 } from "../kit/ids.ts";
import { takeIn } from "./intake.ts";
import type { Digest, Source } from "./intake.ts";
import { checkKey, isKeyBefore, newKey } from "./media-key.ts";

/** Media in a folder: written aside, made durable, then renamed into place; what a crash left half-written is swept here. */
export function createDiskMedia(folder: string): MediaStore {
  const root = resolve(folder);
  const partial = join(root, "partial");
  mkdirSync(partial, { recursive: true });
  sweep(partial);
  const place = createPlacer(root);
  return {
    put: async (source, { maxBytes }) => {
      const key = newKey();
      const temporary = join(partial, nameOfPartial());
      underWay.add(temporary);
      try {
        const digest = await write(temporary, source, maxBytes);
        await place(temporary, key);
        return { key, ...digest };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      } finally {
        underWay.delete(temporary);
      }
    },
    open: async (key, range) => {
      const file = await openKey(root, key);
      try {
        const { size } = await file.stat();
        if (range && !(range.start >= 0 && range.start <= range.end && range.start < size)) {
          throw new RangeError(`bytes ${range.start} to ${range.end} are not in a file of ${size}`);
        }
        return { stream: file.createReadStream(range), bytes: size };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    read: async (key) => {
      const file = await openKey(root, key);
      return file.readFile().finally(() => file.close());
    },
    remove: async (key) => rm(join(root, checkKey(key)), { force: true }),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
    keysBefore: (ms) => keysBefore(root, ms),
  };
}

/** One portion per folder; a key tells by itself when it was made. */
async function* keysBefore(root: string, ms: number): AsyncGenerator<string[]> {
  for (const outer of await folders(root)) {
    for (const inner of await folders(join(root, outer))) {
      const keys = (await readdir(join(root, outer, inner))).map((name) => `${outer}/${inner}/${name}`);
      const old = keys.filter((key) => isKeyBefore(key, ms));
      if (old.length > 0) yield old;
    }
  }
}

async function folders(path: string): Promise<string[]> {
  return (await readdir(path)).filter((name) => /^[0-9a-f]{2}$/.test(name));
}

async function openKey(root: string, key: string): Promise<FileHandle> {
  try {
    return await open(join(root, checkKey(key)), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    throw errorCode(error) === "ENOENT" ? new Failure("not_found", { cause: error }) : error;
  }
}

async function write(path: string, source: Source, maxBytes: number): Promise<Digest> {
  const intake = takeIn(source, maxBytes);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(intake.chunks);
    await file.sync();
  } finally {
    await file.close();
  }
  return intake.digest();
}

function createPlacer(root: string): (temporary: string, key: string) => Promise<void> {
  const lasting = new Set<string>();
  return async (temporary, key) => {
    const path = join(root, key);
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    await rename(temporary, path);
    try {
      await syncFolder(folder);
      // Whoever made the folder may not have come as far as making it last.
      if (!lasting.has(folder)) {
        for (const above of [dirname(folder), root, dirname(root)]) await syncFolder(above);
        lasting.add(folder);
      }
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  };
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

/** Files that this process is writing now. */
const underWay = new Set<string>();
const host = hostname().replace(/[^\w-]/g, "-");
const longestWriteMs = 24 * 60 * 60 * 1000;

function nameOfPartial(): string {
  return `${host}.${process.pid}.${uuidv7()}`;
}

/** Other nodes may share the folder, so only what nobody can be writing any more is removed. */
function sweep(partial: string): void {
  for (const name of readdirSync(partial)) {
    const path = join(partial, name);
    const [owner, pid] = name.split(".");
    const mayBeWritten = owner === host && !isRunning(Number(pid)) ? false : isFresh(path);
    if (!underWay.has(path) && !mayBeWritten) rmSync(path, { force: true, recursive: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false; // an earlier process with our number: our own writes are known
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function isFresh(path: string): boolean {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - changed < longestWriteMs;
}
