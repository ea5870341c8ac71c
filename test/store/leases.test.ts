import assert from "node:assert/strict";
import type { LeaseRequest } from "../../src/core/lease.ts";
import type { Store } from "../../src/core/ports.ts";
import type { ChargeRequest } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { onEachStore } from "./each-store.ts";
import { acceptRequest, failure, richAccount } from "./fixture.ts";

const ask = (account: string, node: string, needNanos: number, more: Partial<LeaseRequest> = {}): LeaseRequest => {
  const usual = { epoch: 1, held: 0, leastNanos: 0, extraNanos: 0, now: 1_000, until: 11_000 };
  return { account, node, needNanos, ...usual, ...more };
};

function paid(account: string, costNanos: number, lease: ChargeRequest["lease"]): ChargeRequest {
  const use = { calls: 1, inputTokens: 1, outputTokens: 1, estimated: 0, ms: 1 };
  return { account, key: null, operation: "chat", model: "m", provider: "p", ...use, costNanos, now: 2_000, lease };
}

async function balance(store: Store, account: string): Promise<number[]> {
  const found = await store.account({ idOrName: account });
  assert.ok(found);
  return [found.availableNanos, found.heldNanos, found.spentNanos];
}

onEachStore("leases of balances", (check) => {
  check("a node is lent what it needs, and of the rest a part, so that others find some too", async (store) => {
    const account = await richAccount(store, 1_000);
    const some = await store.lease(ask(account, "a", 200, { extraNanos: 500 }));
    assert.deepEqual(some, { epoch: 1, grantedNanos: 300, leasedNanos: 300, freeNanos: 700 });
    const rest = await store.lease(ask(account, "b", 900, { epoch: 7 }));
    assert.deepEqual(rest, { epoch: 7, grantedNanos: 700, leasedNanos: 700, freeNanos: 0 });
    const more = await store.lease(ask(account, "a", 1, { epoch: 99, held: 1 }));
    assert.deepEqual(more, { epoch: 1, grantedNanos: 0, leasedNanos: 300, freeNanos: 0 }, "a lease keeps its name while it lasts");
    assert.deepEqual(await balance(store, account), [1_000, 0, 0], "what is lent is still the account's");
  });

  check("of fifty nodes that ask at once nobody is lent what another has", async (store) => {
    const account = await richAccount(store, 1_000);
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => store.lease(ask(account, `crowd ${n}`, 30))));
    assert.equal(
      replies.reduce((sum, { grantedNanos }) => sum + grantedNanos, 0),
      1_000,
    );
    const lent = (await store.leases()).filter(({ node }) => node.startsWith("crowd "));
    assert.ok(lent.every(({ leases }) => leases === 1));
    assert.equal(
      lent.reduce((sum, { nanos }) => sum + nanos, 0),
      1_000,
    );
  });

  check("what is lent can be neither held by a task nor taken back by the operator", async (store) => {
    const account = await richAccount(store, 150);
    await store.lease(ask(account, "a", 100));
    assert.equal((await store.accept(acceptRequest(account))).outcome, "insufficient");
    assert.equal((await store.credit({ id: uuidv7(), account, nanos: -51, note: "", now: 1 })).outcome, "insufficient");
    assert.equal(await store.returnLease({ account, node: "a", epoch: 1, nanos: 60 }), 60);
    const request = acceptRequest(account);
    assert.equal((await store.accept(request)).outcome, "accepted");
    await store.finish(failure(request.task.id, null));
  });

  check("a call is paid from the lease it was admitted under, and beyond it from what nobody has", async (store) => {
    const account = await richAccount(store, 1_000);
    await store.lease(ask(account, "a", 300));
    await store.lease(ask(account, "b", 300));
    await store.charge(paid(account, 200, { node: "a", epoch: 1 }));
    assert.deepEqual((await store.lease(ask(account, "a", 0, { held: 1 }))).leasedNanos, 100);
    await store.charge(paid(account, 150, { node: "a", epoch: 1 }));
    const rest = await store.lease(ask(account, "c", 0));
    assert.equal(rest.freeNanos, 350, "the lease was short of 50");
    assert.deepEqual(await balance(store, account), [650, 0, 350]);
    assert.equal((await store.lease(ask(account, "b", 0, { held: 1 }))).leasedNanos, 300, "another's lease is untouched");
  });

  check("a lease that was not renewed is taken back, and its old name opens nothing", async (store) => {
    const account = await richAccount(store, 500);
    await store.lease(ask(account, "dead", 500));
    assert.equal((await store.lease(ask(account, "b", 100, { now: 11_000 }))).grantedNanos, 0, "until its time is over");
    const later = await store.lease(ask(account, "b", 100, { now: 11_001, until: 21_000 }));
    assert.deepEqual([later.grantedNanos, later.freeNanos], [100, 400]);
    assert.equal(await store.returnLease({ account, node: "dead", epoch: 1, nanos: 500 }), 0);
    const anew = await store.lease(ask(account, "dead", 50, { epoch: 2, now: 11_002, until: 21_000 }));
    assert.deepEqual([anew.epoch, anew.leasedNanos], [2, 50]);
    await store.charge(paid(account, 120, { node: "dead", epoch: 1 }));
    assert.equal(
      (await store.lease(ask(account, "dead", 0, { held: 2, now: 11_003, until: 21_000 }))).leasedNanos,
      50,
      "it was paid from what nobody has",
    );
    assert.deepEqual(await balance(store, account), [380, 0, 120]);
  });

  check("a node that has lost sight of its lease gives it back with the next one, and too little is not lent at all", async (store) => {
    const account = await richAccount(store, 100);
    await store.lease(ask(account, "a", 80));
    const anew = await store.lease(ask(account, "a", 90, { epoch: 2 }));
    assert.deepEqual([anew.epoch, anew.grantedNanos, anew.leasedNanos, anew.freeNanos], [2, 90, 90, 10]);
    assert.equal((await store.lease(ask(account, "b", 30, { leastNanos: 11 }))).grantedNanos, 0);
    assert.equal((await store.lease(ask(account, "b", 30, { leastNanos: 10 }))).grantedNanos, 10);
    assert.equal(await store.returnLease({ account, node: "a", epoch: 2, nanos: 1_000 }), 90);
    assert.equal((await store.lease(ask(account, "c", 0))).freeNanos, 90);
  });

  check("a task is accepted from a lease that its node left behind", async (store) => {
    const account = await richAccount(store, 100);
    await store.lease(ask(account, "dead", 100, { now: 1, until: 500 }));
    const request = acceptRequest(account);
    assert.equal((await store.accept(request)).outcome, "accepted");
    await store.finish(failure(request.task.id, null));
  });

  check(
    "before the house bears a cost, it is paid from what a dead node left behind, and never from what a living one has",
    async (store) => {
      const account = await richAccount(store, 150);
      await store.lease(ask(account, "dead", 100, { now: 1, until: 1_999 }));
      await store.lease(ask(account, "alive", 50, { now: 1, until: 2_000 }));
      await store.charge(paid(account, 60, null));
      assert.deepEqual(await balance(store, account), [90, 0, 60]);
      await store.charge(paid(account, 60, { node: "dead", epoch: 1 }));
      assert.deepEqual(await balance(store, account), [50, 0, 100]);
      assert.equal((await store.lease(ask(account, "alive", 0, { held: 1 }))).leasedNanos, 50);
    },
  );

  check("the operator takes back what a node left behind", async (store) => {
    const account = await richAccount(store, 150);
    await store.lease(ask(account, "a", 100));
    const debit = { account, nanos: -150, note: "" };
    assert.equal((await store.credit({ ...debit, id: uuidv7(), now: 11_000 })).outcome, "insufficient", "it may still come back");
    assert.equal((await store.credit({ ...debit, id: uuidv7(), now: 11_001 })).outcome, "credited");
    assert.deepEqual(await balance(store, account), [0, 0, 0]);
    assert.equal((await store.lease(ask(account, "b", 1, { now: 12_000, until: 20_000 }))).freeNanos, 0);
  });

  check("a node that was lent nothing, or has spent it all, has no lease", async (store) => {
    const [empty, spent] = [await richAccount(store, 0), await richAccount(store, 70)];
    assert.equal((await store.lease(ask(empty, "nothing", 10, { extraNanos: 10 }))).leasedNanos, 0);
    await store.lease(ask(spent, "spender", 70));
    await store.charge(paid(spent, 70, { node: "spender", epoch: 1 }));
    assert.deepEqual(
      (await store.leases()).filter(({ node }) => node === "nothing" || node === "spender"),
      [],
    );
    assert.equal((await store.lease(ask(spent, "spender", 0, { epoch: 2, held: 1 }))).epoch, 2, "the next one has another name");
  });

  check("leases of many accounts that are asked for at once, in any order, are each answered for their own", async (store) => {
    const accounts = await Promise.all(Array.from({ length: 24 }, (_, n) => richAccount(store, 100 + n)));
    const order = [...accounts.entries()].toSorted(([a], [b]) => ((a * 7) % 24) - ((b * 7) % 24));
    const replies = await Promise.all(order.map(([, account]) => store.lease(ask(account, "many", 10))));
    assert.deepEqual(
      replies.map(({ freeNanos }) => freeNanos),
      order.map(([n]) => 90 + n),
    );
    const given = await Promise.all(order.map(([n, account]) => store.returnLease({ account, node: "many", epoch: 1, nanos: n })));
    assert.deepEqual(
      given,
      order.map(([n]) => Math.min(n, 10)),
    );
  });

  check("a frozen account and one that is not there lend nothing", async (store) => {
    const account = await richAccount(store, 100);
    await store.updateAccount({ id: account, frozen: true });
    assert.equal((await store.lease(ask(account, "a", 10))).grantedNanos, 0);
    assert.deepEqual(await store.lease(ask("nobody", "a", 10)), { epoch: 1, grantedNanos: 0, leasedNanos: 0, freeNanos: 0 });
  });
});

onEachStore("the nodes", (check) => {
  const node = (id: string, startedAt: number) => ({ id, name: `host ${id}`, role: "both" as const, version: "1", startedAt });

  check("a node that says it is alive hears who else is, until that one leaves or is long silent", async (store) => {
    const day = 24 * 3_600_000;
    await store.beat({ ...node("a", 1), now: 10 });
    const { nodes, at } = await store.beat({ ...node("b", 2), now: 20 });
    assert.deepEqual(nodes, [
      { ...node("a", 1), seenAt: 10 },
      { ...node("b", 2), seenAt: 20 },
    ]);
    assert.ok(Number.isSafeInteger(at));
    assert.equal((await store.beat({ ...node("a", 1), now: 30 })).nodes[0]?.seenAt, 30);
    await store.leave({ id: "b" });
    assert.deepEqual(
      (await store.beat({ ...node("c", 3), now: 40 })).nodes.map(({ id }) => id),
      ["a", "c"],
    );
    assert.deepEqual(
      (await store.beat({ ...node("c", 3), now: 31 + day })).nodes.map(({ id }) => id),
      ["c"],
    );
    await store.leave({ id: "c" });
  });

  check("what one node says first is what all hear, unless it is said anew", async (store) => {
    const fact = { name: `secret ${uuidv7()}`, now: 1 };
    const said = await Promise.all(Array.from({ length: 20 }, (_, n) => store.setFact({ ...fact, value: `${n}`, ifAbsent: true })));
    assert.equal(new Set(said).size, 1);
    assert.equal(await store.setFact({ ...fact, value: "new", ifAbsent: false }), "new");
    assert.equal((await store.beat({ ...node("a", 1), now: 1 })).facts[fact.name], "new");
    await store.leave({ id: "a" });
  });
});
