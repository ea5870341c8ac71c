import assert from "node:assert/strict";
import { after, afterEach, test, type TestContext } from "node:test";
import { createTally, type Minute } from "../../src/core/tally.ts";
import { createRedisCounts, type RedisCounts } from "../../src/http/limits/redis-counts.ts";
import { openRedis } from "../../src/http/limits/redis-link.ts";
import type { Entry } from "../../src/http/limits/key-counts.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { startRedis } from "../support/redis.ts";

const redis = await startRedis();
const skip = redis === null && "no Redis on this machine";
after(() => redis?.kill());

const open: RedisCounts[] = [];
afterEach(() => {
  for (const node of open.splice(0)) node.close();
});

type Node = RedisCounts & { isThere(): boolean; changes: boolean[] };

function join(url: string): Node {
  const changes: boolean[] = [];
  const link = openRedis(url, (isThere) => {
    if (changes.at(-1) !== isThere) changes.push(isThere);
  });
  const node = { ...createRedisCounts(link, createTally(Date.now), uuidv7), isThere: link.isThere, changes };
  open.push(node);
  return node;
}

/** So many nodes on the server of this test, all connected. */
async function nodes(count: number): Promise<Node[]> {
  assert.ok(redis !== null);
  const { url } = redis;
  const joined = Array.from({ length: count }, () => join(url));
  await eventually(() => joined.every(({ isThere }) => isThere()), { everyMs: 5 });
  return joined;
}

const owner = () => `key ${uuidv7()}`;
const calls = (concurrentCalls: number | null, tokensPerMinute: number | null = null) => ({ concurrentCalls, tokensPerMinute });

async function requests(node: Node, of: string, perMinute: number): Promise<Minute> {
  return node.request(of, perMinute);
}

async function enters(node: Node, of: string, limits: ReturnType<typeof calls>): Promise<Entry> {
  return node.enter(of, limits);
}

test("two nodes admit exactly as many requests as a key may make, also when all come at once", { skip }, async () => {
  const [one, two] = await nodes(2);
  assert.ok(one !== undefined && two !== undefined);
  const key = owner();
  const minutes = await Promise.all(Array.from({ length: 100 }, (_none, at) => requests(at % 2 === 0 ? one : two, key, 20)));
  assert.equal(minutes.filter(({ used }) => used <= 20).length, 20);
  for (const { leftMs } of minutes) assert.ok(leftMs > 50_000 && leftMs <= 60_000, `${leftMs} ms`);
  const { used } = await one.request(key, 1_000);
  assert.ok(used > 20 && used <= 101, "another limit of the same key counts on");
});

test("tokens that one node counts are seen by the other", { skip }, async () => {
  const [one, two] = await nodes(2);
  assert.ok(one !== undefined && two !== undefined);
  const key = owner();
  const first = await enters(one, key, calls(null, 100));
  assert.deepEqual([first.tokens, first.leave === null], [{ used: 0, leftMs: 60_000 }, false]);
  one.used(key, 60);
  two.used(key, 39);
  await eventually(async () => (await enters(two, key, calls(null, 100))).tokens?.used === 99, { everyMs: 5 });
  one.used(key, 1);
  await eventually(async () => (await enters(two, key, calls(null, 100))).leave === null, { everyMs: 5 });
});

test("places for calls are shared, exactly, and given back once", { skip }, async () => {
  const [one, two] = await nodes(2);
  assert.ok(one !== undefined && two !== undefined);
  const key = owner();
  const entries = await Promise.all(Array.from({ length: 20 }, (_none, at) => enters(at % 2 === 0 ? one : two, key, calls(3))));
  const taken = entries.flatMap(({ leave }) => leave ?? []);
  assert.equal(taken.length, 3);
  taken[0]?.();
  taken[0]?.();
  await eventually(async () => (await enters(two, key, calls(3))).leave !== null, { everyMs: 5 });
  assert.equal((await enters(one, key, calls(3))).leave, null);
});

test("a place is not kept by a call that has no tokens left", { skip }, async () => {
  const [one] = await nodes(1);
  assert.ok(one !== undefined);
  const key = owner();
  one.used(key, 10);
  await eventually(async () => (await enters(one, key, calls(null, 10))).leave === null, { everyMs: 5 });
  for (let round = 0; round < 3; round++) assert.equal((await enters(one, key, calls(1, 10))).leave, null);
  assert.notEqual((await enters(one, key, calls(1))).leave, null);
});

test("without anybody at the address each node counts for itself, at once, and nothing fails", async () => {
  const node = join(`redis://127.0.0.1:${await freePort()}`);
  const key = owner();
  const begun = performance.now();
  const minutes = await Promise.all(Array.from({ length: 30 }, () => requests(node, key, 20)));
  assert.equal(minutes.filter(({ used }) => used <= 20).length, 20);
  const entries = await Promise.all(Array.from({ length: 5 }, () => enters(node, key, calls(2))));
  assert.equal(entries.filter(({ leave }) => leave !== null).length, 2);
  assert.ok(performance.now() - begun < 1_500, "nobody waited");
  await eventually(() => node.changes.includes(false), { everyMs: 5 });
  assert.deepEqual(node.changes, [false]);
});

test("a server that dies in the middle is done without, and used again when it is back", { skip }, async () => {
  assert.ok(redis !== null);
  const [one, two] = await nodes(2);
  assert.ok(one !== undefined && two !== undefined);
  const key = owner();
  for (let request = 0; request < 6; request++) await one.request(key, 20);
  const held = await enters(one, key, calls(2));
  assert.notEqual(held.leave, null);

  const asked = Array.from({ length: 10 }, () => requests(one, key, 20));
  await redis.kill();
  assert.equal((await Promise.all(asked)).length, 10, "what was asked while it died is answered");
  await eventually(() => !one.isThere() && !two.isThere(), { everyMs: 5 });
  const minutes = await Promise.all(Array.from({ length: 10 }, () => requests(one, key, 20)));
  assert.equal(minutes.filter(({ used }) => used <= 20).length, 4, "what it counted before still counts here");
  const places = await Promise.all(Array.from({ length: 4 }, () => enters(one, key, calls(2))));
  assert.equal(places.filter(({ leave }) => leave !== null).length, 1, "and what runs here as well");

  await redis.start();
  await eventually(() => one.isThere() && two.isThere(), { everyMs: 10 });
  for (const { changes } of [one, two]) assert.deepEqual(changes, [true, false, true]);
  await one.request(key, 20);
  assert.equal((await two.request(key, 20)).used, 2, "they count together again");
  const isFull = async () => {
    const { leave } = await enters(two, key, calls(2));
    leave?.();
    return leave === null;
  };
  await eventually(isFull, { what: "the places of calls that began before and meanwhile", everyMs: 20 });
});

async function longestWait(ask: () => Promise<unknown>, times: number): Promise<number> {
  let longest = 0;
  for (let time = 0; time < times; time++) {
    const begun = performance.now();
    await ask();
    longest = Math.max(longest, performance.now() - begun);
  }
  return longest;
}

test(
  "a server that is silent makes one moment wait, not each request, and is used again when it speaks",
  { skip },
  async (context: TestContext) => {
    assert.ok(redis !== null);
    const [node] = await nodes(1);
    assert.ok(node !== undefined);
    const key = owner();
    redis.freeze();
    try {
      const first = await longestWait(() => requests(node, key, 1_000), 1);
      const rest = await longestWait(() => requests(node, key, 1_000), 200);
      context.diagnostic(`the first waited ${first.toFixed(0)} ms, no other more than ${rest.toFixed(1)} ms`);
      assert.ok(first < 600, `${first} ms`);
      assert.ok(rest < 50, `${rest} ms`);
    } finally {
      redis.thaw();
    }
    await eventually(() => node.isThere(), { everyMs: 10 });
    assert.deepEqual(node.changes, [true, false, true]);
  },
);
