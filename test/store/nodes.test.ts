import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Store } from "../../src/core/ports.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { startPostgres } from "../support/postgres.ts";
import { acceptRequest, claimRequest, richAccount, success } from "./fixture.ts";

type Server = NonNullable<Awaited<ReturnType<typeof startPostgres>>>;
let server: Server | null = null;
let nodes: Store[] = [];
before(async () => {
  server = await startPostgres();
  if (server === null) return;
  const { url } = server;
  // All at once on an empty database, as the nodes of a new installation start.
  nodes = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore(url)));
});
after(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await server?.stop();
});

const lanes = (limit: number) => [{ lane: "busy", provider: "busy", credentials: [{ id: "k", limit, most: limit }] }];

test("however many nodes look for work at once, a provider's slots are never exceeded and no task is handed out twice", async (context) => {
  const [first] = nodes;
  if (first === undefined) return context.skip("no PostgreSQL on this machine");
  const account = await richAccount(first, 1_000_000);
  await Promise.all(Array.from({ length: 120 }, () => first.accept(acceptRequest(account, { lane: "busy" }))));
  const handed = new Set<string>();
  for (let round = 0; round < 24; round++) {
    const replies = await Promise.all(nodes.map((node) => node.claim(claimRequest({ lanes: lanes(5), polls: 0 }))));
    const runs = replies.flatMap((reply) => reply.runs);
    assert.equal(runs.length, 5, `round ${round}`);
    for (const { taskId } of runs) {
      assert.ok(!handed.has(taskId), "handed out once");
      handed.add(taskId);
    }
    await Promise.all(runs.map(({ taskId, fence }, at) => (nodes[at % nodes.length] ?? first).finish(success(taskId, fence))));
  }
  assert.equal(handed.size, 120);
  assert.deepEqual(
    (await first.gates()).filter(({ lane }) => lane === "busy").map(({ used }) => used),
    [0],
  );
});

test("holds of one account on many nodes at once never exceed what it has", async (context) => {
  const [first] = nodes;
  if (first === undefined) return context.skip("no PostgreSQL on this machine");
  const account = await richAccount(first, 50 * 100);
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, at) => (nodes[at % nodes.length] ?? first).accept(acceptRequest(account, { lane: "held" }))),
  );
  assert.equal(replies.filter(({ outcome }) => outcome === "accepted").length, 50);
  assert.equal((await first.account({ idOrName: account }))?.availableNanos, 0);
});
