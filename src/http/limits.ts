import type { Caller } from "../core/accounts.ts";
import { Failure } from "../core/errors.ts";
import type { KeyLimits } from "../core/records.ts";
import type { Minute } from "../core/tally.ts";
import { isUsedUp, type CallLimits, type Entry, type KeyCounts } from "./limits/key-counts.ts";

/** Headers of a reply to come: names and values by turns, as they go on the wire. */
export type HeaderNotes = string[];

/** What each key may do in a minute and at a time; `notes` is added to. Only counts that lie elsewhere are waited for. */
export type Limits = {
  /** Counts a request; throws `rate_limited` when the minute has had its share. */
  admit(caller: Caller, notes: HeaderNotes): Promise<void> | void;
  /** Takes a place for a call; throws when none is free or the minute's tokens are used up. */
  enter(caller: Caller, notes: HeaderNotes): Promise<CallPlace> | CallPlace;
};

/** A call's place among those of its key. */
export type CallPlace = {
  /** Counts what the call used. */
  used(tokens: number): void;
  leave(): void;
};

type Defaults = Pick<KeyLimits, "requestsPerMinute" | "tokensPerMinute" | "concurrentCalls">;

export function createLimits(defaults: () => Defaults, counts: KeyCounts): Limits {
  function place(owner: string, limits: CallLimits, { tokens, leave }: Entry, notes: HeaderNotes): CallPlace {
    const { tokensPerMinute, concurrentCalls } = limits;
    if (tokens !== null && tokensPerMinute !== null) {
      describe(notes, "tokens", tokensPerMinute, tokens);
      if (isUsedUp(tokens, tokensPerMinute))
        throw new Failure("rate_limited", { says: `This key may use ${tokensPerMinute} tokens a minute.`, retryAfterMs: tokens.leftMs });
    }
    if (leave === null)
      throw new Failure("rate_limited", { says: `This key may make ${concurrentCalls} calls at a time.`, retryAfterMs: 1_000 });
    return {
      used(amount) {
        if (tokensPerMinute !== null && amount > 0) counts.used(owner, amount);
      },
      leave,
    };
  }

  return {
    admit(caller, notes) {
      const perMinute = caller.key?.limits.requestsPerMinute ?? defaults().requestsPerMinute;
      if (perMinute === null) return;
      const minute = counts.request(ownerOf(caller), perMinute);
      return minute instanceof Promise ? minute.then((later) => check(perMinute, later, notes)) : check(perMinute, minute, notes);
    },
    enter(caller, notes) {
      const limits = callLimits(caller, defaults());
      if (limits.tokensPerMinute === null && limits.concurrentCalls === null) return free;
      const owner = ownerOf(caller);
      const entry = counts.enter(owner, limits);
      return entry instanceof Promise ? entry.then((later) => place(owner, limits, later, notes)) : place(owner, limits, entry, notes);
    },
  };
}

const free: CallPlace = { used: () => undefined, leave: () => undefined };

function check(perMinute: number, minute: Minute, notes: HeaderNotes): void {
  describe(notes, "requests", perMinute, minute);
  if (minute.used > perMinute)
    throw new Failure("rate_limited", { says: `This key may make ${perMinute} requests a minute.`, retryAfterMs: minute.leftMs });
}

function callLimits({ key }: Caller, defaults: Defaults): CallLimits {
  return {
    tokensPerMinute: key?.limits.tokensPerMinute ?? defaults.tokensPerMinute,
    concurrentCalls: key?.limits.concurrentCalls ?? defaults.concurrentCalls,
  };
}

function ownerOf({ key, account }: Caller): string {
  return key?.id ?? account.id;
}

function describe(notes: HeaderNotes, what: "requests" | "tokens", limit: number, { used, leftMs }: Minute): void {
  const [limitName, remainingName, resetName] = names[what];
  const reset = `${Math.max(0, leftMs) / 1000}s`;
  notes.push(limitName, String(limit), remainingName, String(Math.max(0, limit - used)), resetName, reset);
}

const names = {
  requests: ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
  tokens: ["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
} as const;
