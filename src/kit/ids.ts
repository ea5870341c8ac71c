import { randomBytes } from "node:crypto";

let lastMs = 0;
let counter = 0;
let pool = Buffer.alloc(0);
let used = 0;

// Asking the system for randomness costs more than all the rest, so it is asked for much at once.
function random(bytes: number): Buffer {
  if (used + bytes > pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  used += bytes;
  return pool.subarray(used - bytes, used);
}

/** A UUID of version 7: sorts by time, and strictly upwards within this process. */
export function uuidv7(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = random(2).readUInt16BE() & 0x7ff;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, "0");
  const tail = random(8);
  tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80;
  const hex = tail.toString("hex");
  const count = counter.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random text of letters and digits, every character uniform. */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}
