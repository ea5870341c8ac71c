import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readRunFile } from "../../src/config/run-file.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startPostgres } from "../support/postgres.ts";
import { startRedis } from "../support/redis.ts";
import type { PlainError } from "../support/wire.ts";
import { minuteThatLasts } from "./minute-that-lasts.ts";

// What one node seals the others must open.
process.env["GENWAY_MASTER_KEY"] = "the same for all nodes of this test, and long";
const postgres = await startPostgres();
const redis = await startRedis();
const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const end of ends.toReversed()) await end();
  await redis?.kill();
  await postgres?.stop();
});

const withoutPostgres = postgres === null && "no PostgreSQL on this machine";
const withoutRedis = redis === null && "no Redis on this machine";
const withoutBoth = (postgres === null || redis === null) && "no PostgreSQL or no Redis on this machine";

/** Two gateways on one database. */
async function pair(more = ""): Promise<[TestGateway, TestGateway]> {
  assert.ok(postgres !== null);
  const models = "local: true\nmodels:\n  lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: { per_call: 0.01 } }\n";
  const yaml = `${models}store: { url: "${postgres.url}" }\n${more}`;
  const clock = minuteThatLasts();
  const one = await startGateway({ yaml, clock });
  ends.push(one.end);
  const two = await startGateway({ yaml, clock });
  ends.push(two.end);
  return [one, two];
}

const limit = 20;

async function limited([one, two]: [TestGateway, TestGateway]): Promise<[Client, Client]> {
  const { key } = await one.customer(1, { requests_per_minute: limit });
  return [createClient(one.url, key), createClient(two.url, key)];
}

function chat(content: string, more: object = {}): object {
  return { model: "lab-chat", max_tokens: 10, messages: [{ role: "user", content }], ...more };
}

/** Asks by turns until the time is over; answers each status and how often it came. */
async function askByTurns(clients: readonly Client[], times: number, everyMs: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let request = 0; request < times; request++) {
    const began = performance.now();
    const status = (await clients[request % clients.length]?.get("/v1/balance"))?.status ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await sleep(Math.max(0, everyMs - (performance.now() - began)));
  }
  return statuses;
}

test(
  "two gateways on PostgreSQL admit a key's requests of a minute and at most half a second's more",
  { skip: withoutPostgres },
  async (context) => {
    const clients = await limited(await pair());
    const everyMs = 50;
    const statuses = await askByTurns(clients, 80, everyMs);
    const admitted = statuses.get(200) ?? 0;
    const bound = Math.ceil(600 / everyMs);
    context.diagnostic(`${admitted} admitted, the limit is ${limit}, the bound ${bound} more`);
    assert.deepEqual(new Set(statuses.keys()), new Set([200, 429]));
    assert.ok(admitted >= limit && admitted <= limit + bound, `${admitted} were admitted`);
    for (const client of clients) assert.equal((await client.get("/v1/balance")).headers.get("x-ratelimit-remaining-requests"), "0");
  },
);

test("two gateways share the places of a key's calls", { skip: withoutPostgres }, async () => {
  assert.ok(postgres !== null);
  const yaml = `store: { url: "${postgres.url}" }\n`;
  const one = await startCallGateway({ yaml });
  ends.push(one.end);
  const two = await startCallGateway({ yaml });
  ends.push(two.end);
  const key = await one.key({ concurrent_calls: 2 });
  const there = createClient(two.client.url, key);
  const leave = new AbortController();
  for (let call = 0; call < 2; call++) {
    const reply = await fetch(`${one.client.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(chat("hold the place [lab:hold=1]", { stream: true })),
      signal: leave.signal,
    });
    assert.equal(reply.status, 200);
  }
  const statusThere = async () => (await there.post("/v1/chat/completions", chat("hi"))).status;
  await eventually(async () => (await statusThere()) === 429, {
    everyMs: 50,
    what: "the places that are taken elsewhere",
  });
  leave.abort();
  await eventually(async () => (await statusThere()) === 200, { everyMs: 50, what: "a place that is free again" });
});

test("two gateways with Redis admit exactly a key's requests of a minute", { skip: withoutBoth }, async () => {
  const clients = await limited(await pair(`redis_url: ${redis?.url}\n`));
  await sleep(100);
  const replies = await Promise.all(Array.from({ length: 60 }, async (_none, at) => clients[at % 2]?.get("/v1/balance")));
  assert.equal(replies.filter((reply) => reply?.status === 200).length, limit);
  const refused = replies.find((reply) => reply?.status === 429);
  assert.equal(refused?.headers.get("x-ratelimit-remaining-requests"), "0");
  assert.ok(Number(refused?.headers.get("retry-after")) > 40);
});

test("a gateway with Redis counts calls and tokens of a key there", { skip: withoutRedis }, async () => {
  const gateway = await startCallGateway({ yaml: `redis_url: ${redis?.url}\n` });
  ends.push(gateway.end);
  const busy = gateway.client.as(await gateway.key({ concurrent_calls: 1 }));
  const slow = busy.post("/v1/chat/completions", chat("[lab:delay=300]"));
  await eventually(() => gateway.lab.calls().some(({ prompt }) => prompt === "[lab:delay=300]"), { everyMs: 5 });
  const refused = await busy.post<PlainError>("/v1/chat/completions", chat("hi"));
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
  assert.match(refused.body.error.message, /1 calls at a time/);
  assert.equal((await slow).status, 200);
  await eventually(async () => (await busy.post("/v1/chat/completions", chat("hi"))).status === 200, { everyMs: 10 });
  const thrifty = gateway.client.as(await gateway.key({ tokens_per_minute: 15 }));
  const first = await thrifty.post("/v1/chat/completions", chat("hi"));
  assert.deepEqual([first.status, first.headers.get("x-ratelimit-remaining-tokens")], [200, "15"]);
  const used = await eventually(
    async () => {
      const reply = await thrifty.post<PlainError>("/v1/chat/completions", chat("hi"));
      return reply.status === 429 ? reply : null;
    },
    { everyMs: 20 },
  );
  assert.match(used.body.error.message, /15 tokens a minute/);
  assert.ok(Number(used.headers.get("retry-after")) > 40);
});

test("Redis may die and come back: no request fails, and the log and the metrics tell it once", { skip: withoutBoth }, async () => {
  assert.ok(redis !== null);
  const gateways = await pair(`redis_url: ${redis.url}\n`);
  const clients = await limited(gateways);
  const [one] = gateways;
  const shared = async () => /^genway_limits_shared\{by="Redis".*\} (\d)$/m.exec(await metricsOf(one))?.[1];
  await eventually(async () => (await shared()) === "1");
  const ready = await readinessOf(one);
  const asking = askByTurns(clients, 60, 20);
  await sleep(300);
  await redis.kill();
  const statuses = await asking;
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status !== 200 && status !== 429),
    [],
  );
  assert.ok((statuses.get(200) ?? 0) <= 2 * limit, "neither lets through more than the limit by itself");
  assert.equal(await shared(), "0");
  assert.deepEqual(await readinessOf(one), ready, "and nobody takes the node out of service for it");
  await redis.start();
  await eventually(async () => (await shared()) === "1");
  const told = one.logged.filter((line) => line.startsWith("limits are")).map((line) => line.replace(/ \{.*/, ""));
  assert.deepEqual(told, ["limits are not shared", "limits are shared again"]);
});

async function readinessOf({ url }: TestGateway): Promise<unknown> {
  return (await fetch(`${url}/ready`)).json();
}

async function metricsOf({ url, dataDir }: TestGateway): Promise<string> {
  const token = readRunFile(dataDir)?.token ?? "";
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
}
