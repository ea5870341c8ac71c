import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./error-code.ts";

/** Everything the master key is used for; the key itself never leaves. */
export type Secrets = {
  /** 32 bytes of their own for each purpose, the same at every start. */
  derive(label: string): Buffer;
  /** Encrypts a text so that only `open` with the same context reads it. */
  seal(text: string, context: string): string;
  /** Throws an Error that says what is wrong when the key, the context or the text is another one. */
  open(sealed: string, context: string): string;
};

/** Takes the master key from GENWAY_MASTER_KEY, else from `master.key` in the data folder, which is made on first use; throws when it is not fit. */
export function openSecrets(dataDir: string, given: string | undefined = process.env["GENWAY_MASTER_KEY"]): Secrets {
  const master = given ? checkKey(given, "GENWAY_MASTER_KEY") : keyFromFile(join(dataDir, "master.key"), dataDir);
  const part = (purpose: string, bytes: number) => Buffer.from(hkdfSync("sha256", master, "genway", purpose, bytes));
  const sealKey = part("seal", 32);
  const keyId = part("key id", 4).toString("hex");
  const bound = (context: string) => Buffer.from(`${version}.${keyId}.${context}`);
  return {
    derive: (label) => part(`for ${label}`, 32),
    seal: (text, context) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce).setAAD(bound(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${version}.${keyId}.${sealed.toString("base64url")}`;
    },
    open: (sealed, context) => {
      const [, id, content] = sealedPattern.exec(sealed) ?? [];
      if (id === undefined || content === undefined) throw new Error("A sealed value is damaged: it has not the form of one");
      if (id !== keyId) {
        throw new Error(
          `A sealed value was made with master key ${id}, and this one is ${keyId}: bring back master.key or GENWAY_MASTER_KEY as it was`,
        );
      }
      return decrypt(sealKey, Buffer.from(content, "base64url"), bound(context));
    },
  };
}

const version = "s1";
const nonceBytes = 12;
const tagBytes = 16;
const sealedPattern = /^s1\.([0-9a-f]{8})\.([\w-]+)$/;

function decrypt(key: Buffer, sealed: Buffer, bound: Buffer): string {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(bound).setAuthTag(sealed.subarray(-tagBytes));
    return decipher.update(sealed.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new Error("A sealed value is damaged or was made for another place", { cause });
  }
}

function keyFromFile(path: string, dataDir: string): string {
  try {
    return readKeyFile(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  placeKeyFile(path, dataDir);
  return readKeyFile(path);
}

function readKeyFile(path: string): string {
  const text = readFileSync(path, "utf8");
  // Group bits are left alone: container platforms set them on mounted volumes.
  if (process.platform !== "win32" && (statSync(path).mode & 0o007) !== 0) {
    throw new Error(`${path} is open to every user of this machine: run "chmod 600 ${path}"`);
  }
  return checkKey(text, path);
}

/** Whole or not at all, and never over a key that another process placed meanwhile. */
function placeKeyFile(path: string, dataDir: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, `${newKey()}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(temporary, path);
    rmSync(temporary);
  } catch (error) {
    if (errorCode(error) === "EEXIST") rmSync(temporary);
    else renameSync(temporary, path); // file systems without hard links
  }
  syncFolder(dataDir);
}

function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}

function newKey(): string {
  const key = randomBytes(32).toString("base64url");
  return `${madeHere}${key}_${checksum(key)}`;
}

const madeHere = "gmk1_";

function checksum(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

function checkKey(text: string, place: string): string {
  const key = text.trim();
  if (key.length < 32 || !/^[\x21-\x7e ]+$/.test(key)) {
    throw new Error(`${place} holds no master key: at least 32 printable characters are needed`);
  }
  if (key.startsWith(madeHere) && checksum(key.slice(madeHere.length, -9)) !== key.slice(-8)) {
    throw new Error(`${place} is damaged: its master key does not match its checksum, so bring the file back from a backup`);
  }
  return key;
}
