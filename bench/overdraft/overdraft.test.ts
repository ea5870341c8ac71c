import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import type { LeaseRequest } from "../../src/core/lease.ts";
import type { Verb } from "../../src/store/query.ts";
import { verbs } from "../../src/store/verbs.ts";
import { makePlan, type Act, type Plan } from "./plan.ts";
import { runPlan } from "./run.ts";
import { search, shorten } from "./search.ts";
import { openSharedDatabase, type SharedDatabase, type Verbs } from "./shared-database.ts";

const first = Number(process.env["SEED"] ?? 1);
const seeds = (count: number) => Array.from({ length: count }, (_, place) => first + place);

test("in 150 runs of chance nobody spends what is not there, everything is paid once, and money that is at hand is found", async (context) => {
  const found = await search({ seeds: seeds(150) });
  assert.equal(found.broken, null, `npm run overdraft -- --seed ${found.broken?.seed}`);
  assert.ok(found.calls > 1_000 && found.calmSeeds > 30 && found.calmSeeds < 120, "there is something to see");
  context.diagnostic(`${found.events} events, ${found.commits} commits`);
});

test("the same seed runs the same way again", async () => {
  const [one, two] = await Promise.all([search({ seeds: [7] }), search({ seeds: [7] })]);
  assert.deepEqual(one, two);
  assert.deepEqual(makePlan(7), makePlan(7));
});

type Lent = Verbs["lease"];

/** Does a verb as if nobody had leased anything. */
function blind<I, R>(verb: Verb<I, R>): Verb<I, R> {
  return async (tx, items) => {
    await tx.db.updateTable("account").set({ leased: 0 }).execute();
    const replies = await verb(tx, items);
    await sql`update account set leased = (select coalesce(sum(amount), 0) from lease where lease.account = account.id)`.execute(tx.db);
    return replies;
  };
}

const change =
  (alter: (request: LeaseRequest) => Partial<LeaseRequest>): Lent =>
  (tx, requests) =>
    verbs.lease(
      tx,
      requests.map((request) => ({ ...request, ...alter(request) })),
    );

const faults: Record<string, { faulty: Partial<Verbs>; says: RegExp }> = {
  "charges that take no notice of leases": {
    faulty: {
      charge: (tx, requests) =>
        verbs.charge(
          tx,
          requests.map((request) => ({ ...request, lease: null })),
        ),
    },
    says: /not paid though nothing went wrong/,
  },
  "charges that tell nobody what they took": {
    faulty: {
      async charge(tx, requests) {
        const replies = await verbs.charge(tx, requests);
        tx.news.leases = [];
        return replies;
      },
    },
    says: /not paid though nothing went wrong/,
  },
  "charges that are made twice": {
    faulty: { charge: (tx, requests) => verbs.charge(tx, [...requests, ...requests]) },
    says: /are counted/,
  },
  "leases of what others have": { faulty: { lease: blind(verbs.lease) }, says: /more is leased than there is/ },
  "holds of what nodes have leased": { faulty: { accept: blind(verbs.accept) }, says: /more is leased than there is/ },
  "leases that are reclaimed before their time": {
    faulty: { lease: change(({ now }) => ({ now: now + 20_000 })) },
    says: /not paid though nothing went wrong/,
  },
  "a lease that keeps its name when it was reclaimed": {
    faulty: { lease: change(({ epoch, held }) => ({ epoch: held === 0 ? epoch : held })) },
    says: /not paid long after the last fault/,
  },
};

for (const [what, { faulty, says }] of Object.entries(faults)) {
  test(`${what} are found out within 300 seeds`.replace(/^(a lease .*) are found/, "$1 is found"), async (context) => {
    const { broken, seeds: tried } = await search({ seeds: seeds(300), faulty });
    assert.match(broken?.violation ?? "nothing", says);
    context.diagnostic(`after ${tried} seeds: ${broken?.violation.slice(0, 100)}`);
  });
}

let database: SharedDatabase | null = null;
before(async () => {
  database = await openSharedDatabase({ accept: blind(verbs.accept) });
});
after(() => database?.close());

test("of a plan that breaks a promise, what matters is left", async () => {
  assert.ok(database);
  const call: Act = { kind: "call", at: 5_000, node: 0, account: 0, keyed: false, wish: 80, least: 80, cost: 1, ms: 9_000, fails: false };
  const task: Act = { kind: "submit", at: 6_000, node: 1, account: 0, keyed: false, hold: 80, cost: 1, ms: 100, cancelMs: null };
  const needless: Act[] = Array.from({ length: 20 }, (_, n) => ({ kind: "post", at: n * 1_000, node: 0 }));
  const rest = { capNanos: null, latencyMs: 10, loss: 0, skewsMs: [0, 0] };
  const plan: Plan = { seed: 1, nodes: 2, balances: [100], ...rest, acts: [...needless, call, task] };
  assert.match((await runPlan(plan, database)).violation ?? "", /more is leased/);
  const short = await shorten(plan, database);
  assert.deepEqual(short.plan.acts, [call, task]);
  assert.match(short.violation, /more is leased/);
  assert.match(short.trace.at(-1) ?? "", /VIOLATION/);
});
