import type { Clock } from "../../core/ports.ts";

/** A whole reply that may be given again. */
export type KeptReply = { mime: string; body: Uint8Array; provider: string };

/** Takes what became of a request, once; a promise where whoever waits for the reply is to wait for that too. */
export type Keep = (reply: KeptReply | null) => Promise<void> | void;

/** What becomes of a request that has a name: it is the first, or the first one's reply is there. */
export type Turn = { first: true; keep: Keep } | { first: false; reply: KeptReply };

type Remembered = { reply: Promise<KeptReply | null>; fingerprint: string; until: number; bytes: number; isAnswered: boolean };

export type ReplyMemory = {
  get(name: string): Remembered | undefined;
  /** Makes room under a name; what it returns takes the reply, or null where there is none. */
  reserve(name: string, fingerprint: string, ttlMs: number, room: number): (reply: KeptReply | null) => void;
};

/** Replies by name in the memory of this process, the oldest thrown out when they take too much room. */
export function createReplyMemory(clock: Clock): ReplyMemory {
  const kept = new Map<string, Remembered>();
  let total = 0;

  function drop(name: string): void {
    total -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
  }

  return {
    get(name) {
      const known = kept.get(name);
      if (known === undefined || known.until > clock()) return known;
      drop(name);
      return undefined;
    },
    reserve(name, fingerprint, ttlMs, room) {
      drop(name);
      const { promise, resolve } = Promise.withResolvers<KeptReply | null>();
      const entry: Remembered = { reply: promise, fingerprint, until: clock() + ttlMs, bytes: 0, isAnswered: false };
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
