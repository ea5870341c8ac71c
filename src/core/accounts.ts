import { createHash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { randomText, uuidv7 } from "../kit/ids.ts";
import { Failure } from "./errors.ts";
import { nanosFromUsd } from "./money.ts";
import { noBulletin, type Bulletin, type Clock, type Store } from "./ports.ts";
import type { Account, Key, KeyLimits } from "./records.ts";

/** Who is asking: an account, and the key it was shown with (none for an anonymous caller). */
export type Caller = { account: Account; key: Key | null };

const checksumLength = 6;
const secretLength = 43;
const idLength = 16;

function checksum(text: string): string {
  return crc32(text).toString(36).padStart(7, "0").slice(-checksumLength);
}

/** A new key, or a new text of one that there is: the text is shown once, its hash is kept. */
export function makeKey(id = randomText(idLength)): { id: string; text: string; hash: string; lastFour: string } {
  const secret = randomText(secretLength);
  const text = `gw_${id}_${secret}${checksum(id + secret)}`;
  return { id, text, hash: hashKey(text), lastFour: text.slice(-4) };
}

/** The id inside a key's text; null when the text cannot be a key, whatever the store holds. */
export function keyIdOf(text: string): string | null {
  const parts = /^gw_([0-9A-Za-z]{16})_([0-9A-Za-z]{43})([0-9a-z]{6})$/.exec(text);
  const [, id, secret, sum] = parts ?? [];
  return id !== undefined && secret !== undefined && sum === checksum(id + secret) ? id : null;
}

/** Keys are 256 random bits, so that a plain hash is enough. */
export function hashKey(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Compares without telling by its time how much was right. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** A key without limits of its own. */
export const noLimits: KeyLimits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentCalls: null,
  concurrentTasks: null,
  spendCapNanos: null,
};

function markOfHash(hash: string): string {
  return hashKey(`mark of ${hash}`).slice(0, 32);
}

const rememberMs = 2_000;
const mostRemembered = 10_000;

export type KeyRing = {
  /** The caller behind a key; throws `invalid_key`. */
  resolve(text: string): Promise<Caller>;
  /** The caller behind a key that was shown before, as long as its text is still the one with that mark. */
  resolveId(id: string, mark: string): Promise<Caller>;
  /** What tells a key's text from others without giving it away. */
  markOf(text: string): string;
  /** Forgets what was remembered of a key, so that a change counts at once. */
  forget(keyId: string): void;
};

type Remembered = Caller & { at: number };

/** Looks keys up, and remembers them for a moment: a revoked one stops at once where the word arrives, and within two seconds everywhere. */
export function createKeyRing(store: Store, clock: Clock, bulletin: Bulletin = noBulletin): KeyRing {
  const known = new Map<string, Remembered & { key: Key }>();

  /** A key by its id, if its hash is the right one; remembered under a name. */
  async function look(name: string, id: string | null, isRight: (hash: string) => boolean): Promise<Caller> {
    const now = clock();
    let found = known.get(name);
    if (found === undefined || now - found.at > rememberMs) {
      const row = id === null ? null : await store.keyById({ id });
      if (row === null || !isRight(row.hash)) throw new Failure("invalid_key");
      if (known.size > mostRemembered) known.clear();
      found = { key: row.key, account: row.account, at: now };
      known.set(name, found);
    }
    const { key, account } = found;
    if (key.revokedAt !== null) throw new Failure("invalid_key", { says: "This key has been revoked." });
    if (key.expiresAt !== null && key.expiresAt <= now) throw new Failure("invalid_key", { says: "This key has expired." });
    return { account, key };
  }

  function drop(keyId: string): void {
    for (const [text, { key }] of known) if (key.id === keyId) known.delete(text);
  }
  bulletin.hear("key", drop);

  return {
    resolve: (text) => look(text, keyIdOf(text), (hash) => sameHash(hashKey(text), hash)),
    resolveId: (id, mark) => look(`${id} ${mark}`, id, (hash) => sameHash(markOfHash(hash), mark)),
    markOf: (text) => markOfHash(hashKey(text)),
    forget(keyId) {
      drop(keyId);
      bulletin.post("key", keyId);
    },
  };
}

export const starter = { name: "local", creditNanos: nanosFromUsd(100), floorNanos: nanosFromUsd(10) };

/** Brings the starter account back to its full credit when it has run low, or below what is wanted of it. */
export async function topUpStarter(store: Store, account: Account, now: number, wantedNanos = 0): Promise<void> {
  const missing = starter.creditNanos - account.availableNanos;
  if (!account.starter || account.availableNanos >= Math.max(starter.floorNanos, wantedNanos) || missing <= 0) return;
  await store.credit({ id: uuidv7(now), account: account.id, nanos: missing, note: "starter credit", now });
}
