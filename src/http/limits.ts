import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Caller } from "../core/accounts.ts";
import { Failure } from "../core/errors.ts";
import type { KeyLimits } from "../core/records.ts";

/** Headers of a reply to come: names and values by turns, as they go on the wire. */
export type HeaderNotes = string[];

/** What each key may do in a minute and at a time; `notes` is added to. */
export type Limits = {
  /** Counts a request; throws `rate_limited` when the minute has had its share. */
  admit(caller: Caller, notes: HeaderNotes): Promise<void> | void;
  /** Takes a place for a call; throws when none is free or the minute's tokens are used up. */
  enter(caller: Caller, notes: HeaderNotes): CallPlace;
};

/** A call's place among those of its key. */
export type CallPlace = {
  /** Counts what the call used. */
  used(tokens: number): void;
  leave(): void;
};

type Defaults = Pick<KeyLimits, "requestsPerMinute" | "tokensPerMinute" | "concurrentCalls">;

const minuteSeconds = 60;
const freshMinute = minuteSeconds * 1000;
const mostOwners = 100_000;

export function createLimits(defaults: () => Defaults): Limits {
  const requests = new Map<number, RateLimiterMemory>();
  const tokens = new Map<number, RateLimiterMemory>();
  const running = new Map<string, number>();
  // The minutes as they stand, so that a call can be let in without waiting.
  const minutes = new Map<string, { used: number; until: number }>();

  async function count(caller: Caller, perMinute: number, notes: HeaderNotes): Promise<void> {
    try {
      describe(notes, "requests", perMinute, await limiterOf(requests, perMinute).consume(ownerOf(caller)));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      describe(notes, "requests", perMinute, refused);
      throw new Failure("rate_limited", {
        says: `This key may make ${perMinute} requests a minute.`,
        retryAfterMs: refused.msBeforeNext,
      });
    }
  }

  function checkTokens(owner: string, perMinute: number, notes: HeaderNotes): void {
    const now = performance.now();
    const known = minutes.get(owner);
    const left = known === undefined || known.until <= now ? freshMinute : known.until - now;
    const used = left === freshMinute ? 0 : (known?.used ?? 0);
    describe(notes, "tokens", perMinute, { remainingPoints: perMinute - used, msBeforeNext: left });
    if (used >= perMinute)
      throw new Failure("rate_limited", { says: `This key may use ${perMinute} tokens a minute.`, retryAfterMs: left });
  }

  async function countTokens(owner: string, perMinute: number, amount: number): Promise<void> {
    const { consumedPoints, msBeforeNext } = await limiterOf(tokens, perMinute).penalty(owner, amount);
    if (minutes.size > mostOwners) minutes.clear();
    minutes.set(owner, { used: consumedPoints, until: performance.now() + msBeforeNext });
  }

  return {
    admit(caller, notes) {
      const perMinute = caller.key?.limits.requestsPerMinute ?? defaults().requestsPerMinute;
      return perMinute === null ? undefined : count(caller, perMinute, notes);
    },
    enter(caller, notes) {
      const { tokensPerMinute, concurrentCalls } = effective(caller, defaults());
      const owner = ownerOf(caller);
      if (tokensPerMinute !== null) checkTokens(owner, tokensPerMinute, notes);
      if (concurrentCalls !== null) {
        const now = running.get(owner) ?? 0;
        if (now >= concurrentCalls)
          throw new Failure("rate_limited", { says: `This key may make ${concurrentCalls} calls at a time.`, retryAfterMs: 1_000 });
        running.set(owner, now + 1);
      }
      let inside = true;
      return {
        used(amount) {
          if (tokensPerMinute !== null && amount > 0) void countTokens(owner, tokensPerMinute, amount);
        },
        leave() {
          if (!inside || concurrentCalls === null) return;
          inside = false;
          const left = (running.get(owner) ?? 1) - 1;
          if (left > 0) running.set(owner, left);
          else running.delete(owner);
        },
      };
    },
  };
}

function effective({ key }: Caller, defaults: Defaults): Pick<Defaults, "tokensPerMinute" | "concurrentCalls"> {
  return {
    tokensPerMinute: key?.limits.tokensPerMinute ?? defaults.tokensPerMinute,
    concurrentCalls: key?.limits.concurrentCalls ?? defaults.concurrentCalls,
  };
}

function ownerOf({ key, account }: Caller): string {
  return key?.id ?? account.id;
}

function limiterOf(limiters: Map<number, RateLimiterMemory>, points: number): RateLimiterMemory {
  const known = limiters.get(points);
  if (known !== undefined) return known;
  const limiter = new RateLimiterMemory({ points, duration: minuteSeconds });
  limiters.set(points, limiter);
  return limiter;
}

function describe(
  notes: HeaderNotes,
  what: "requests" | "tokens",
  limit: number,
  { remainingPoints, msBeforeNext }: Pick<RateLimiterRes, "remainingPoints" | "msBeforeNext">,
): void {
  const [limitName, remainingName, resetName] = names[what];
  const reset = `${Math.max(0, msBeforeNext) / 1000}s`;
  notes.push(limitName, String(limit), remainingName, String(Math.max(0, remainingPoints)), resetName, reset);
}

const names = {
  requests: ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
  tokens: ["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
} as const;
