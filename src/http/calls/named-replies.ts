import { Failure } from "../../core/errors.ts";
import type { ReplyClaim, ReplyName, StoredReply } from "../../core/kept-reply.ts";
import type { Clock, Log, Store } from "../../core/ports.ts";
import { uuidv7 } from "../../kit/ids.ts";
import { createClaimsInHand, handleOf } from "./claims-in-hand.ts";
import { createReplyMemory, type Keep, type KeptReply, type Turn } from "./reply-memory.ts";

export type NamedNeeds = {
  store: Pick<Store, "keptReply" | "claimReply" | "keepReply" | "dropReply">;
  node: string;
  /** Whether no other process can use the store: what is under way is then known here. */
  alone: boolean;
  /** How long a call may take in all. */
  deadlineMs: () => number;
  clock: Clock;
  log: Log;
};

/** A larger reply is not stored. */
export const mostStoredBytes = 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
// What follows a call that took all its time: storing pictures, and the charge.
const marginMs = 60_000;
const memoryBytes = 64 * 1024 * 1024;
const patienceMs = 1_000;

/** Replies by name, in the store, where every node finds them; those that are not there are given again by the node that has them. */
export function createNamedReplies(needs: NamedNeeds): (name: ReplyName, fingerprint: string) => Promise<Turn> {
  const { store, node, alone, deadlineMs, clock } = needs;
  const inHand = createClaimsInHand((claim) => (alone ? store.keptReply(claim) : store.claimReply(claim)));
  const unstored = createReplyMemory(clock);
  const write = createWriting(needs);

  async function keep(claim: ReplyClaim, reply: KeptReply): Promise<void> {
    inHand.answer(claim, reply);
    if (!(await write(claim, reply))) unstored.reserve(handleOf(claim), claim.fingerprint, dayMs, memoryBytes)(reply);
    inHand.drop(claim);
  }

  function keeping(claim: ReplyClaim): Keep {
    let isOver = false;
    return (reply) => {
      if (isOver) return;
      isOver = true;
      // Whoever asks here after a failure takes the row over; who asks elsewhere finds it gone in a moment.
      if (reply === null) inHand.drop(claim);
      const work = reply === null ? free(needs, claim) : keep(claim, reply);
      // Nobody but this process could ask too early.
      return alone ? undefined : atMost(patienceMs, work);
    };
  }

  return async (name, fingerprint) => {
    const known = unstored.get(handleOf(name));
    const here = known?.fingerprint === fingerprint ? await known.reply : null;
    if (here !== null) return { first: false, reply: here };
    const now = clock();
    const claim = { ...name, fingerprint, node, fence: uuidv7(), now, until: now + deadlineMs() + marginMs, expiresAt: now + dayMs };
    const verdict = await inHand.ask(claim);
    if (verdict.outcome === "yours") return { first: true, keep: keeping(claim) };
    if (verdict.outcome === "here") return { first: false, reply: verdict.reply };
    if (verdict.outcome === "kept") return { first: false, reply: keptOf(verdict.reply) };
    if (verdict.outcome === "mismatch") throw new Failure("idempotency_mismatch", { param: "Idempotency-Key" });
    throw new Failure("idempotency_in_flight", { param: "Idempotency-Key", retryAfterMs: 1_000 });
  };
}

/** Hands replies to the store, or tells it that one cannot be given again; answers whether the store has it, and never fails. */
function createWriting({ store, log }: NamedNeeds): (claim: ReplyClaim, reply: KeptReply) => Promise<boolean> {
  let bytesUnderWay = 0;
  return async (claim, reply) => {
    const bytes = reply.body.byteLength;
    const fits = bytes <= mostStoredBytes && bytesUnderWay + bytes <= memoryBytes;
    if (fits) bytesUnderWay += bytes;
    try {
      await store.keepReply({ ...claim, reply: fits ? storedOf(reply) : null });
      return fits;
    } catch (err) {
      log.warn({ err }, "the reply to a call with an Idempotency-Key could not be kept");
      return false;
    } finally {
      if (fits) bytesUnderWay -= bytes;
    }
  };
}

async function free({ store, alone, log }: NamedNeeds, { account, route, key, fence }: ReplyClaim): Promise<void> {
  if (alone) return;
  await store.dropReply({ account, route, key, fence }).catch((err: unknown) => {
    log.warn({ err }, "an Idempotency-Key could not be freed after its call failed");
  });
}

function storedOf({ mime, provider, body }: KeptReply): StoredReply {
  return { mime, provider, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64") };
}

function keptOf({ mime, provider, body }: StoredReply): KeptReply {
  return { mime, provider, body: Buffer.from(body, "base64") };
}

/** A client that waits for its reply waits a moment for the store, and no longer. */
function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
