import type { FastifyReply } from "fastify";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Caller } from "../core/accounts.ts";
import { Failure } from "../core/errors.ts";
import type { KeyLimits } from "../core/records.ts";

/** What each key may do in a minute and at a time. */
export type Limits = {
  /** Counts a request; throws `rate_limited` when the minute has had its share. */
  admit(caller: Caller, reply: FastifyReply): Promise<void> | void;
  /** Takes a place for a call; throws when none is free or the minute's tokens are used up. */
  enter(caller: Caller, reply: FastifyReply): Promise<CallPlace>;
};

/** A call's place among those of its key. */
export type CallPlace = {
  /** Counts what the call used. */
  used(tokens: number): void;
  leave(): void;
};

type Defaults = Pick<KeyLimits, "requestsPerMinute" | "tokensPerMinute" | "concurrentCalls">;

const minuteSeconds = 60;

export function createLimits(defaults: () => Defaults): Limits {
  const requests = new Map<number, RateLimiterMemory>();
  const tokens = new Map<number, RateLimiterMemory>();
  const running = new Map<string, number>();

  async function count(caller: Caller, perMinute: number, reply: FastifyReply): Promise<void> {
    try {
      describe(reply, "requests", perMinute, await limiterOf(requests, perMinute).consume(ownerOf(caller)));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      describe(reply, "requests", perMinute, refused);
      throw new Failure("rate_limited", {
        says: `This key may make ${perMinute} requests a minute.`,
        retryAfterMs: refused.msBeforeNext,
      });
    }
  }

  async function checkTokens(caller: Caller, perMinute: number, reply: FastifyReply): Promise<void> {
    const state = await limiterOf(tokens, perMinute).get(ownerOf(caller));
    if (state === null) return describe(reply, "tokens", perMinute, { remainingPoints: perMinute, msBeforeNext: minuteSeconds * 1000 });
    describe(reply, "tokens", perMinute, state);
    if (state.consumedPoints >= perMinute)
      throw new Failure("rate_limited", { says: `This key may use ${perMinute} tokens a minute.`, retryAfterMs: state.msBeforeNext });
  }

  return {
    admit(caller, reply) {
      const perMinute = caller.key?.limits.requestsPerMinute ?? defaults().requestsPerMinute;
      return perMinute === null ? undefined : count(caller, perMinute, reply);
    },
    async enter(caller, reply) {
      const { tokensPerMinute, concurrentCalls } = effective(caller, defaults());
      const owner = ownerOf(caller);
      if (tokensPerMinute !== null) await checkTokens(caller, tokensPerMinute, reply);
      if (concurrentCalls !== null) {
        const now = running.get(owner) ?? 0;
        if (now >= concurrentCalls)
          throw new Failure("rate_limited", { says: `This key may make ${concurrentCalls} calls at a time.`, retryAfterMs: 1_000 });
        running.set(owner, now + 1);
      }
      let inside = true;
      return {
        used(amount) {
          if (tokensPerMinute !== null && amount > 0) void limiterOf(tokens, tokensPerMinute).penalty(owner, amount);
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
  reply: FastifyReply,
  what: "requests" | "tokens",
  limit: number,
  { remainingPoints, msBeforeNext }: Pick<RateLimiterRes, "remainingPoints" | "msBeforeNext">,
): void {
  reply.header(`x-ratelimit-limit-${what}`, String(limit));
  reply.header(`x-ratelimit-remaining-${what}`, String(Math.max(0, remainingPoints)));
  reply.header(`x-ratelimit-reset-${what}`, `${(Math.max(0, msBeforeNext) / 1000).toFixed(3)}s`);
}
