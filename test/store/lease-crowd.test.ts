import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, test } from "node:test";
import { createLeasedPurse, type LeasedPurse } from "../../src/core/leased-purse.ts";
import type { Bulletin, Store } from "../../src/core/ports.ts";
import type { ChargeRequest } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { createRandom } from "../../bench/fleet/random.ts";
import { openTestDatabase, type TestDatabase } from "../support/database.ts";
import { acceptRequest, booksAgree, failure, richAccount, success } from "./fixture.ts";

type Node = { store: Store; purse: LeasedPurse };

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
let database: TestDatabase | null = null;
let nodes: Node[] = [];

before(async () => {
  database = await openTestDatabase(`genway-leases-${uuidv7()}`);
  if (database === null) return;
  const { url } = database;
  const heard: { node: string; act: (id: string) => void }[] = [];
  const open = async (node: string): Promise<Node> => {
    const store = await openPostgresStore(url);
    const bulletin: Bulletin = {
      post: (_topic, id) => heard.forEach((other) => other.node !== node && setTimeout(other.act, 5, id)),
      hear: (_topic, act) => void heard.push({ node, act }),
      onGap: () => undefined,
      close: async () => undefined,
    };
    const purse = createLeasedPurse({ store, bulletin, node, clock: Date.now, monotonic: () => performance.now(), sleep });
    store.onMoney(purse);
    return { store, purse };
  };
  nodes = await Promise.all(Array.from({ length: 4 }, () => open(uuidv7())));
});
after(async () => {
  await Promise.all(nodes.map(({ store }) => store.close()));
  await database?.drop();
});

function charge(account: string, costNanos: number, lease: ChargeRequest["lease"]): ChargeRequest {
  const use = { calls: 1, inputTokens: 0, outputTokens: 0, estimated: 0, ms: 1, now: Date.now() };
  return { account, key: null, operation: "chat", model: "m", provider: "p", ...use, costNanos, lease };
}

const random = createRandom(seed);
const below = (most: number) => Math.floor(random.unit() * most);

/** What calls were told to have cost, by account. */
const spent = new Map<string, number>();

async function call({ store, purse }: Node, account: string): Promise<void> {
  const wish = 1 + below(400);
  const reservation = await purse.reserve(account, null, wish, below(2) === 0 ? wish : Math.ceil(wish / 4));
  if (reservation === null) return;
  if (below(4) === 0) await sleep(below(30));
  const cost = below(reservation.nanos + 1);
  await store.charge(charge(account, cost, purse.leaseOf(account)));
  reservation.release();
  spent.set(account, (spent.get(account) ?? 0) + cost);
}

async function task({ store, purse }: Node, account: string): Promise<void> {
  const hold = 1 + below(800);
  const request = acceptRequest(account, { lane: "leases" }, hold);
  request.task.createdAt = Date.now();
  let { outcome } = await store.accept(request);
  if (outcome === "insufficient" && (await purse.recall(account))) ({ outcome } = await store.accept(request));
  if (outcome !== "accepted") return;
  await sleep(below(20));
  const { id } = request.task;
  await store.finish(below(2) === 0 ? failure(id, null) : success(id, null, below(hold + 1)));
}

async function credit({ store }: Node, account: string): Promise<void> {
  await store.credit({ id: uuidv7(), account, nanos: below(600) - 300, note: "", now: Date.now() });
}

test("four nodes that lease, call, hold, credit and settle at once on a few accounts pay for everything and overdraw nothing", async (context) => {
  const first = nodes[0];
  if (first === undefined) return context.skip("no PostgreSQL on this machine");
  context.diagnostic(`SEED=${seed}`);
  const accounts = await Promise.all(Array.from({ length: 5 }, (_, n) => richAccount(first.store, 1_500 * (n + 1))));
  const visit = async (node: Node): Promise<void> => {
    for (let act = 0; act < 30; act++) {
      const account = accounts[below(accounts.length)] ?? "";
      const dice = below(20);
      if (dice < 15) await call(node, account);
      else if (dice < 18) await task(node, account);
      else if (dice < 19) await credit(node, account);
      else await node.purse.tend();
    }
  };
  await Promise.all(nodes.flatMap((node) => [visit(node), visit(node), visit(node)]));
  const rows = await first.store.callUsage({ account: null, createdAfter: 0, createdBefore: Date.now() + 60_000 });
  for (const account of accounts) {
    const used = rows.filter((row) => row.account === account).reduce((sum, { costNanos }) => sum + costNanos, 0);
    assert.equal(used, spent.get(account) ?? 0, "each charge is counted once");
    assert.ok(((await first.store.account({ idOrName: account }))?.availableNanos ?? -1) >= 0);
  }
  assert.ok(await booksAgree(first.store), JSON.stringify(await first.store.auditBooks()));
  assert.equal(await unpaid(), 0, "nothing is borne by the house");
  await Promise.all(nodes.map(({ purse }) => purse.close()));
  assert.deepEqual(await first.store.leases(), [], "and all that was lent is back");
});

test("leases of many accounts on many nodes at once do not wait for each other in a circle", async (context) => {
  const first = nodes[0];
  if (first === undefined) return context.skip("no PostgreSQL on this machine");
  const accounts = await Promise.all(Array.from({ length: 12 }, () => richAccount(first.store, 1_000_000)));
  const began = performance.now();
  const visit = async ({ purse, store }: Node): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      const shuffled = accounts.map((account) => ({ account, at: random.unit() })).toSorted((a, b) => a.at - b.at);
      await Promise.all(
        shuffled.map(async ({ account }) => {
          const reservation = await purse.reserve(account, null, 5_000, 5_000);
          await store.charge(charge(account, 4_000, purse.leaseOf(account)));
          reservation?.release();
        }),
      );
    }
  };
  await Promise.all(nodes.map(visit));
  assert.equal(await unpaid(), 0);
  context.diagnostic(`${Math.round(performance.now() - began)} ms`);
  assert.equal(await deadlocks(), 0);
});

async function unpaid(): Promise<number> {
  return Number((await askDatabase("select coalesce(sum(cost - paid), 0) as n from usage")) ?? -1);
}

async function deadlocks(): Promise<number> {
  return Number((await askDatabase("select deadlocks as n from pg_stat_database where datname = current_database()")) ?? -1);
}

async function askDatabase(statement: string): Promise<unknown> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: database?.url ?? "" });
  await client.connect();
  try {
    return (await client.query(statement)).rows[0]?.["n"];
  } finally {
    await client.end();
  }
}
