import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createCallGate } from "../../src/core/call-gate.ts";
import { restMs } from "../../src/core/exchange-rhythm.ts";
import { createFleetTally, type FleetTally } from "../../src/core/fleet-tally.ts";
import type { Store } from "../../src/core/ports.ts";
import type { TallyReply, TallyRequest } from "../../src/core/counts.ts";
import { createTallyCounts } from "../../src/http/limits/key-counts.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { databasesOf } from "../store/databases.ts";
import { eventually } from "../support/eventually.ts";
import { startPostgres, type TemporaryPostgres } from "../support/postgres.ts";
import { minuteThatLasts } from "./minute-that-lasts.ts";

let server: TemporaryPostgres | null = null;
let stores: Store[] = [];
let nodes: FleetTally[] = [];
const lost: unknown[] = [];
const clock = minuteThatLasts();
before(async () => {
  server = await startPostgres();
  if (server === null) return;
  const { url } = server;
  stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore(url)));
  const tellContact = (isThere: boolean, cause?: unknown) => void (isThere || lost.push(cause));
  nodes = stores.map((store, node) =>
    createFleetTally({ store: { exchange: (request) => timed(store, request) }, node: `node ${node}`, clock, tellContact }),
  );
});
after(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await Promise.all(stores.map((store) => store.close()));
  await server?.stop();
});

let longestTripMs = 0;
async function timed(store: Store, request: TallyRequest): Promise<TallyReply> {
  const began = performance.now();
  const reply = await store.exchange(request);
  longestTripMs = Math.max(longestTripMs, performance.now() - began);
  return reply;
}

const without = "no PostgreSQL on this machine";

test("two nodes on one database let through what a key may make in a minute, and at most half a second's requests more", async (context) => {
  const [one, two] = nodes.map(createTallyCounts);
  if (one === undefined || two === undefined) return context.skip(without);
  const limit = 20;
  const everyMs = 40;
  let admitted = 0;
  for (let request = 0; request < 90; request++) {
    const { used } = await (request % 2 === 0 ? one : two).request("paced", limit);
    if (used <= limit) admitted++;
    await sleep(everyMs);
  }
  const bound = Math.ceil((2 * restMs + 4 * longestTripMs) / everyMs) + 1;
  context.diagnostic(`${admitted} admitted, the limit is ${limit}, the bound ${bound} more`);
  assert.ok(admitted >= limit && admitted <= limit + bound, `${admitted} were admitted`);
});

test("four nodes that are asked all at once let through the limit of each at most, and after a moment nothing more", async (context) => {
  const counts = nodes.map(createTallyCounts);
  if (counts.length === 0) return context.skip(without);
  const ask = async () => {
    const asked = Array.from({ length: 200 }, async (_none, at) => counts[at % counts.length]?.request("burst", 10));
    return (await Promise.all(asked)).filter((minute) => (minute?.used ?? 0) <= 10).length;
  };
  const first = await ask();
  assert.ok(first >= 10 && first <= 40, `${first} were admitted`);
  await eventually(async () => (await ask()) === 0, { everyMs: 100, what: "that all know of all" });
  assert.equal(await ask(), 0);
});

test("places of calls are seen by every node, and free again when they are given back", async (context) => {
  const [one, two] = nodes.map(createTallyCounts);
  if (one === undefined || two === undefined) return context.skip(without);
  const limits = { tokensPerMinute: null, concurrentCalls: 2 };
  const entered = await Promise.all([one.enter("places", limits), one.enter("places", limits)]);
  const isFull = async () => {
    const { leave } = await two.enter("places", limits);
    leave?.();
    return leave === null;
  };
  await eventually(isFull, { everyMs: 20, what: "what runs elsewhere" });
  for (const { leave } of entered) leave?.();
  await eventually(async () => !(await isFull()), { everyMs: 20, what: "a free place" });
});

test("what the operator allows at a provider holds over the nodes", async (context) => {
  const [here, there] = nodes.map(createCallGate);
  if (here === undefined || there === undefined) return context.skip(without);
  const limits = { concurrent: null, perMinute: 5 };
  for (let call = 0; call < 5; call++) assert.equal(here.enter("provider/key", limits), true);
  await eventually(() => nodes[1]?.minute("gate provider/key").used === 5, { everyMs: 20 });
  assert.equal(there.enter("provider/key", limits), false);
  assert.equal(there.enter("provider/other", limits), true);
});

test("nodes that say, hear and forget at the same time never wait for each other in a circle", async (context) => {
  if (server === null) return context.skip(without);
  const { url } = server;
  const crowd = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore(url)));
  const names = Array.from({ length: 60 }, (_none, key) => `busy ${key}`);
  for (let round = 1; round <= 15; round++) {
    const now = 10_000 + round;
    await Promise.all(
      crowd.map((store, node) => {
        const counts = (node % 2 === 0 ? names : names.toReversed()).map((name) => ({ name, used: round, running: 0 }));
        // All rows are old enough to be forgotten, and are written again at the same moment.
        return store.exchange({ node: `circle ${node}`, minute: 0, now, until: now, counts, forgetBefore: now + 1 });
      }),
    );
  }
  // The server counts what a connection saw when that has ended; a circle would have been broken up and tried again unseen.
  await Promise.all(crowd.map((store) => store.close()));
  const circles = "select deadlocks from pg_stat_database where datname = 'postgres'";
  assert.deepEqual(await databasesOf(server).ask("postgres", circles), [{ deadlocks: "0" }]);
});

test("rows of minutes that are over do not stay", async (context) => {
  const [store] = stores;
  if (store === undefined || server === null) return context.skip(without);
  const old = { node: "gone", minute: 0, now: 1, until: 2, counts: [{ name: "old", used: 1, running: 1 }], forgetBefore: null };
  await store.exchange(old);
  const later = virtualMinutes(3);
  const node = createFleetTally({ store, node: "later", clock: later, tellContact: () => undefined });
  node.minute("anything");
  const { ask } = databasesOf(server);
  await eventually(async () => (await ask("postgres", "select 1 from tally where node = 'gone'")).length === 0);
  await node.close();
});

function virtualMinutes(ahead: number): () => number {
  return () => clock() + ahead * 60_000;
}

test("nothing of all this lost sight of the database", (context) => {
  if (stores.length === 0) return context.skip(without);
  assert.deepEqual(lost, []);
});
