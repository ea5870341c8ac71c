import type { Redis } from "ioredis";
import { prefix } from "./redis-link.ts";

/** The places of calls that run anywhere in the fleet, as Redis knows them; those of a process that dies lapse. */
export type RedisPlaces = {
  /** True when a place was free and is now taken under this name. */
  take(owner: string, call: string, most: number): Promise<boolean>;
  /** Keeps a call's place from now on, also one that Redis has not heard of. */
  keep(owner: string, call: string): void;
  give(owner: string, call: string): void;
  close(): void;
};

const leaseMs = 10_000;
const renewEveryMs = 3_000;

// The clock of Redis alone decides what has lapsed.
const takeScript = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[3])
redis.call('pexpire', KEYS[1], ARGV[2])
return 1`;

const renewScript = `
local time = redis.call('time')
local until_ms = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
for at = 2, #ARGV do redis.call('zadd', KEYS[1], until_ms, ARGV[at]) end
redis.call('pexpire', KEYS[1], ARGV[1])
return 1`;

/** `failed` hears when a command came to nothing that nobody waits for. */
export function createRedisPlaces(client: Redis, failed: (cause: unknown) => void): RedisPlaces {
  const kept = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  function renew(): void {
    clearTimeout(timer);
    timer = undefined;
    if (kept.size === 0) return;
    timer = setTimeout(renew, renewEveryMs).unref();
    if (client.status !== "ready") return;
    for (const [owner, calls] of kept) client.eval(renewScript, 1, keyOf(owner), leaseMs, ...calls).catch(failed);
  }

  // A server that comes back may know nothing of what runs here.
  client.on("ready", renew);
  return {
    take: async (owner, call, most) => (await client.eval(takeScript, 1, keyOf(owner), most, leaseMs, call)) === 1,
    keep(owner, call) {
      const calls = kept.get(owner);
      if (calls === undefined) kept.set(owner, new Set([call]));
      else calls.add(call);
      timer ??= setTimeout(renew, renewEveryMs).unref();
    },
    give(owner, call) {
      const calls = kept.get(owner);
      calls?.delete(call);
      if (calls?.size === 0) kept.delete(owner);
      if (client.status === "ready") client.zrem(keyOf(owner), call).catch(failed);
    },
    close: () => clearTimeout(timer),
  };
}

function keyOf(owner: string): string {
  return `${prefix}:calls:${owner}`;
}
