import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Minute, Tally } from "../../core/tally.ts";
import { createTallyCounts, holdPlace, isUsedUp, namesOf, type CallLimits, type Entry, type KeyCounts } from "./key-counts.ts";
import { prefix, type RedisLink } from "./redis-link.ts";
import { createRedisPlaces } from "./redis-places.ts";

/** Counts that are kept in Redis; `close` ends the connection. */
export type RedisCounts = KeyCounts & { close(): void };

const minuteSeconds = 60;
const minuteMs = minuteSeconds * 1_000;

/** Counts in Redis for the whole fleet; the tally counts along, and decides alone while Redis is away. */
export function createRedisCounts(link: RedisLink, tally: Tally, newId: () => string): RedisCounts {
  const insurance = createTallyCounts(tally);
  const places = createRedisPlaces(link.client, link.lost);
  const requests = createLimiters(link, "requests");
  const tokens = createLimiters(link, "tokens");

  /** Asks Redis, and whoever is there instead when that fails. */
  async function insured<R>(ask: () => Promise<R>, instead: () => R | Promise<R>): Promise<R> {
    try {
      return await ask();
    } catch (cause) {
      link.lost(cause);
      return instead();
    }
  }

  async function enterThere(owner: string, call: string, { tokensPerMinute, concurrentCalls }: CallLimits): Promise<Entry> {
    const [minute, isTaken] = await Promise.all([
      tokensPerMinute === null ? null : standing(tokens(tokensPerMinute), owner),
      concurrentCalls === null || places.take(owner, call, concurrentCalls),
    ]);
    if (isTaken && !isUsedUp(minute, tokensPerMinute)) return { tokens: minute, leave: holdPlace(tally, owner) };
    if (isTaken && concurrentCalls !== null) places.give(owner, call);
    return { tokens: minute, leave: null };
  }

  async function enter(owner: string, limits: CallLimits): Promise<Entry> {
    const call = newId();
    const instead = () => insurance.enter(owner, limits);
    const { tokens: minute, leave } = await (link.isThere() ? insured(() => enterThere(owner, call, limits), instead) : instead());
    if (leave === null || limits.concurrentCalls === null) return { tokens: minute, leave };
    places.keep(owner, call);
    const giveBack = () => {
      leave();
      places.give(owner, call);
    };
    return { tokens: minute, leave: giveBack };
  }

  return {
    request(owner, perMinute) {
      if (!link.isThere()) return insurance.request(owner, perMinute);
      tally.add(namesOf(owner).requests, 1);
      return insured(
        () => consume(requests(perMinute), owner),
        () => tally.minute(namesOf(owner).requests),
      );
    },
    enter,
    used(owner, amount) {
      insurance.used(owner, amount);
      // The number of points matters to those alone who are told what is left.
      if (link.isThere()) tokens(1).penalty(owner, Math.ceil(amount)).catch(link.lost);
    },
    close() {
      places.close();
      link.close();
    },
  };
}

async function consume(limiter: RateLimiterRedis, owner: string): Promise<Minute> {
  try {
    return minuteOf(await limiter.consume(owner));
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return { used: limiter.points + 1, leftMs: refused.msBeforeNext };
  }
}

async function standing(limiter: RateLimiterRedis, owner: string): Promise<Minute> {
  const found = await limiter.get(owner);
  return found === null ? { used: 0, leftMs: minuteMs } : minuteOf(found);
}

function minuteOf({ consumedPoints, msBeforeNext }: RateLimiterRes): Minute {
  return { used: consumedPoints, leftMs: msBeforeNext };
}

/** A limiter for each limit that somebody has; all of them count in the same place, so that a change of a limit counts at once. */
function createLimiters({ client }: RedisLink, what: string): (points: number) => RateLimiterRedis {
  const limiters = new Map<number, RateLimiterRedis>();
  return (points) => {
    const known = limiters.get(points);
    if (known !== undefined) return known;
    const limiter = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: `${prefix}:${what}`,
      points,
      duration: minuteSeconds,
      // Whoever is over the limit is refused from memory until the minute is over.
      inMemoryBlockOnConsumed: points,
    });
    limiters.set(points, limiter);
    return limiter;
  };
}
