import { createHash } from "node:crypto";
import type { Caller } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { Asked } from "../../core/meter.ts";

/** A whole reply that may be given again. */
export type KeptReply = { mime: string; body: Uint8Array; provider: string };

type Kept = { reply: Promise<KeptReply | null>; fingerprint: string; until: number; bytes: number; isAnswered: boolean };

/** What becomes of a request that has a name: it is the first, or the first one's reply is there. */
export type Turn = { first: true; keep(reply: KeptReply | null): void } | { first: false; reply: KeptReply };

export type ReplyShelf = {
  /** By Idempotency-Key: the same request gets the first reply again; throws for another request, and while the first is not answered. */
  byKey(caller: Caller, asked: Asked, key: string, route: string): Promise<Turn>;
  /** By content, where the operator wants that: requests that are equal to the byte. */
  byContent(caller: Caller, asked: Asked): Promise<Turn> | null;
};

const dayMs = 24 * 60 * 60 * 1000;
const keyBytes = 64 * 1024 * 1024;
const longestKey = 255;

export type ShelfSettings = { cache: () => { ttlMs: number; bytes: number } | null; clock: () => number };

export function createReplyShelf({ cache, clock }: ShelfSettings): ReplyShelf {
  const named = createStore(clock);
  const equal = createStore(clock);
  return {
    async byKey(caller, asked, key, route) {
      if (key === "" || key.length > longestKey)
        throw new Failure("invalid_request", { says: "'Idempotency-Key' must have 1 to 255 characters.", param: "Idempotency-Key" });
      const name = JSON.stringify([caller.account.id, route, key]);
      const fingerprint = fingerprintOf(asked);
      const known = named.get(name);
      if (known === undefined) return { first: true, keep: named.reserve(name, fingerprint, dayMs, keyBytes) };
      if (known.fingerprint !== fingerprint) throw new Failure("idempotency_mismatch", { param: "Idempotency-Key" });
      if (!known.isAnswered) throw new Failure("idempotency_in_flight", { param: "Idempotency-Key", retryAfterMs: 1_000 });
      const reply = await known.reply;
      return reply === null ? { first: true, keep: named.reserve(name, fingerprint, dayMs, keyBytes) } : { first: false, reply };
    },
    byContent(caller, asked) {
      const settings = cache();
      if (settings === null || asked.stream) return null;
      return look(JSON.stringify([caller.account.id, asked.operation, fingerprintOf(asked)]), settings);
    },
  };

  async function look(name: string, { ttlMs, bytes }: { ttlMs: number; bytes: number }): Promise<Turn> {
    const known = equal.get(name);
    if (known === undefined) return { first: true, keep: equal.reserve(name, "", ttlMs, bytes) };
    // Equal requests that come at the same time share the first one's reply.
    const reply = await known.reply;
    return reply === null ? { first: true, keep: () => undefined } : { first: false, reply };
  }
}

function fingerprintOf({ operation, model, body, raw, files }: Asked): string {
  const hash = createHash("sha256").update(`${operation}\n${model}\n`);
  hash.update(raw ?? JSON.stringify(body));
  for (const { field, bytes } of files) hash.update(field).update(bytes);
  return hash.digest("hex");
}

/** Replies by name, the oldest thrown out when they take too much room. */
function createStore(clock: () => number) {
  const kept = new Map<string, Kept>();
  let total = 0;

  function drop(name: string): void {
    total -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
  }

  return {
    get(name: string): Kept | undefined {
      const known = kept.get(name);
      if (known === undefined || known.until > clock()) return known;
      drop(name);
      return undefined;
    },
    reserve(name: string, fingerprint: string, ttlMs: number, room: number): (reply: KeptReply | null) => void {
      drop(name);
      const { promise, resolve } = Promise.withResolvers<KeptReply | null>();
      const entry: Kept = { reply: promise, fingerprint, until: clock() + ttlMs, bytes: 0, isAnswered: false };
      kept.set(name, entry);
      return (reply) => {
        if (entry.isAnswered) return;
        resolve(reply);
        entry.isAnswered = true;
        if (kept.get(name) !== entry) return;
        if (reply === null || reply.body.byteLength > room) return drop(name);
        entry.bytes = reply.body.byteLength;
        total += entry.bytes;
        for (const [oldest, { isAnswered }] of kept) {
          if (total <= room) break;
          if (isAnswered) drop(oldest);
        }
      };
    },
  };
}
