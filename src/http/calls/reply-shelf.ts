import { createHash } from "node:crypto";
import type { Caller } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { Asked } from "../../core/meter.ts";
import { createNamedReplies, type NamedNeeds } from "./named-replies.ts";
import { createReplyMemory, type Turn } from "./reply-memory.ts";

export type ReplyShelf = {
  /** By Idempotency-Key, at whichever node: the same request gets the first reply again; throws for another request, and while the first is not answered. */
  byKey(caller: Caller, asked: Asked, key: string, route: string): Promise<Turn>;
  /** By content, at this node, where the operator wants that: requests that are equal to the byte. */
  byContent(caller: Caller, asked: Asked): Promise<Turn> | null;
};

const longestKey = 255;

export type ShelfNeeds = NamedNeeds & { cache: () => { ttlMs: number; bytes: number } | null };

export function createReplyShelf(needs: ShelfNeeds): ReplyShelf {
  const { cache, clock } = needs;
  const named = createNamedReplies(needs);
  const equal = createReplyMemory(clock);
  return {
    async byKey(caller, asked, key, route) {
      if (key === "" || key.length > longestKey)
        throw new Failure("invalid_request", { says: "'Idempotency-Key' must have 1 to 255 characters.", param: "Idempotency-Key" });
      return named({ account: caller.account.id, route, key }, fingerprintOf(asked));
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
