// `node run.mjs bench/limits.ts`: what it costs to let a request in under a limit, counted in each of the three places.
import { noLimits, type Caller } from "../src/core/accounts.ts";
import { noBudget } from "../src/core/budget.ts";
import { createFleetTally } from "../src/core/fleet-tally.ts";
import type { Store } from "../src/core/ports.ts";
import { createTally } from "../src/core/tally.ts";
import { createLimits, type Limits } from "../src/http/limits.ts";
import { createTallyCounts, type KeyCounts } from "../src/http/limits/key-counts.ts";
import { createRedisCounts } from "../src/http/limits/redis-counts.ts";
import { openRedis } from "../src/http/limits/redis-link.ts";
import { uuidv7 } from "../src/kit/ids.ts";
import { openPostgresStore } from "../src/store/postgres.ts";
import { eventually } from "../test/support/eventually.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { startRedis } from "../test/support/redis.ts";

const keys = 200;
const seconds = 2;
const callers = Array.from({ length: keys }, (_none, key) => callerOf(`key ${key}`));

type Act = (limits: Limits, caller: Caller) => Promise<void> | void;

const acts: Record<string, Act> = {
  "a request": (limits, caller) => limits.admit(caller, []),
  "a call": (limits, caller) => {
    const place = limits.enter(caller, []);
    return place instanceof Promise ? place.then(({ leave }) => leave()) : place.leave();
  },
};

await measure("memory", createTallyCounts(createTally(Date.now)));
await onPostgres();
await onRedis();

async function onPostgres(): Promise<void> {
  const server = await startPostgres();
  if (server === null) return;
  const store = await openPostgresStore(server.url);
  const tally = createFleetTally({ store, node: "bench", clock: Date.now, tellContact: () => undefined });
  await measure("PostgreSQL", createTallyCounts(tally));
  await tally.close();
  for (const names of [1, 20, 500]) await measureExchange(store, names);
  await store.close();
  await server.stop();
}

async function measureExchange(store: Store, names: number): Promise<void> {
  const counts = Array.from({ length: names }, (_none, key) => ({ name: `key ${key}`, used: 1, running: 1 }));
  const waits: number[] = [];
  const cpu = process.cpuUsage();
  const rounds = 100;
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await store.exchange({ node: `node ${round % 3}`, minute: 0, now: round, until: round + 5_000, counts, forgetBefore: null });
    waits.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  const p50 = waits.toSorted((a, b) => a - b)[rounds / 2] ?? 0;
  console.log(
    `PostgreSQL, an exchange of ${names} names: p50 ${p50.toFixed(1)} ms, ${((user + system) / rounds).toFixed(0)} µs of processor`,
  );
}

async function onRedis(): Promise<void> {
  const server = await startRedis();
  if (server === null) return console.log("Redis: not on this machine");
  const link = openRedis(server.url, () => undefined);
  await eventually(() => link.isThere(), { everyMs: 5 });
  const counts = createRedisCounts(link, createTally(Date.now), uuidv7);
  await measure("Redis", counts);
  await measure("Redis, 50 at a time", counts, 50);
  counts.close();
  await server.kill();
}

async function measure(name: string, counts: KeyCounts, atOnce = 1): Promise<void> {
  const limits = createLimits(() => noLimits, counts);
  for (const [what, act] of Object.entries(acts)) await measureAct(`${name}, ${what}`, limits, act, atOnce);
}

/** Lets in for some seconds, so many at a time, with pauses in which the rest of the process gets its turns. */
async function measureAct(name: string, limits: Limits, act: Act, atOnce: number): Promise<void> {
  const waits: number[] = [];
  const cpu = process.cpuUsage();
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  while (performance.now() < until) {
    for (let turn = 0; turn < 50; turn++) {
      const began = performance.now();
      const asked = Array.from({ length: atOnce }, () => act(limits, callers[count++ % keys] ?? callerOf("another")));
      for (const one of asked) if (one instanceof Promise) await one;
      waits.push(performance.now() - began);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(cpu);
  waits.sort((a, b) => a - b);
  const wait = (share: number) => `${((waits[Math.floor(waits.length * share)] ?? 0) * 1_000).toFixed(1)} µs`;
  console.log(`${name}: p50 ${wait(0.5)}, p99 ${wait(0.99)}, ${((user + system) / count).toFixed(2)} µs of processor`);
}

function callerOf(id: string): Caller {
  const money = { availableNanos: 0, heldNanos: 0, spentNanos: 0, budget: noBudget };
  const account = { id: "a", name: "a", ...money, frozen: false, starter: false, createdAt: 0 };
  const limits = { ...noLimits, requestsPerMinute: 1_000_000_000, tokensPerMinute: 1_000_000_000, concurrentCalls: 1_000_000 };
  const rest = { name: "k", lastFour: "abcd", scopes: null, models: null, ips: null, expiresAt: null, revokedAt: null, createdAt: 1 };
  return { account, key: { id, account: account.id, ...rest, limits, spentNanos: 0 } };
}
