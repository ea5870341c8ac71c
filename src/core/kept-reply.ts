/** What names a call that may be sent again: an account's Idempotency-Key on a route. */
export type ReplyName = { account: string; route: string; key: string };

/** Another request under the same name has another fingerprint. */
export type ReplyQuestion = ReplyName & { fingerprint: string; now: number };

/** Asks whether a call is to be made. A node never asks for what it has in hand itself. */
export type ReplyClaim = ReplyQuestion & {
  /** Who would make the call, and the name of this try. */
  node: string;
  fence: string;
  /** When whoever makes it will have ended, whatever happens. */
  until: number;
  /** When the name is free for any request again. */
  expiresAt: number;
};

/** A whole reply as it is stored; the body is base64. */
export type StoredReply = { mime: string; provider: string; body: string };

/** `yours`: nobody made the call, or nobody knows whether somebody did. `under_way`: another node is making it. */
export type ReplyVerdict = { outcome: "yours" | "mismatch" | "under_way" } | { outcome: "kept"; reply: StoredReply };
