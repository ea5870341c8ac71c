import type { ReplyClaim, ReplyName, ReplyVerdict } from "../../core/kept-reply.ts";
import type { KeptReply } from "./reply-memory.ts";

/** What the store says, or a reply that is on its way to it. */
export type HandVerdict = ReplyVerdict | { outcome: "here"; reply: KeptReply };

/** The calls with an Idempotency-Key that this process makes or asks about. */
export type ClaimsInHand = {
  /** Requests that come together ask the store once, and not at all for what is being made here. */
  ask(claim: ReplyClaim): Promise<HandVerdict>;
  /** Gives this reply to whoever asks, until the claim is dropped. */
  answer(claim: ReplyClaim, reply: KeptReply): void;
  /** Lets go of what `ask` gave. */
  drop(name: ReplyName): void;
};

export function createClaimsInHand(askStore: (claim: ReplyClaim) => Promise<ReplyVerdict>): ClaimsInHand {
  const inHand = new Map<string, { fingerprint: string; verdict: Promise<HandVerdict> }>();
  const drop = (name: ReplyName) => void inHand.delete(handleOf(name));
  return {
    drop,
    async ask(claim) {
      const handle = handleOf(claim);
      for (let other = inHand.get(handle); other !== undefined; other = inHand.get(handle)) {
        const verdict = await other.verdict;
        if (other.fingerprint === claim.fingerprint) return verdict.outcome === "yours" ? { outcome: "under_way" } : verdict;
        // That the other one is the wrong request does not make this one so.
        if (verdict.outcome !== "mismatch") return { outcome: "mismatch" };
      }
      const own = { fingerprint: claim.fingerprint, verdict: askStore(claim) };
      inHand.set(handle, own);
      let isOurs = false;
      try {
        const verdict = await own.verdict;
        isOurs = verdict.outcome === "yours";
        return verdict;
      } finally {
        if (!isOurs) drop(claim);
      }
    },
    answer: (claim, reply) =>
      void inHand.set(handleOf(claim), { fingerprint: claim.fingerprint, verdict: Promise.resolve({ outcome: "here", reply }) }),
  };
}

/** A name as one text. */
export function handleOf({ account, route, key }: ReplyName): string {
  return JSON.stringify([account, route, key]);
}
