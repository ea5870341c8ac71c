import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { noLimits } from "../../src/core/accounts.ts";
import type { MoneyHeard, Store } from "../../src/core/ports.ts";
import { createPurse } from "../../src/core/purse.ts";
import type { ChargeRequest } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { startPostgres } from "../support/postgres.ts";
import { acceptRequest, booksAgree, richAccount, stores, success, type Opened } from "./fixture.ts";

function charge(account: string, costNanos: number, more: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    account,
    key: null,
    operation: "chat",
    model: "m",
    provider: "p",
    calls: 1,
    inputTokens: 3,
    outputTokens: 4,
    costNanos,
    estimated: 0,
    ms: 5,
    now: 61_000,
    lease: null,
    ...more,
  };
}

async function keyOf(store: Store, account: string, spendCapNanos: number | null = null): Promise<string> {
  const id = uuidv7();
  const limits = { ...noLimits, spendCapNanos };
  const rest = { name: "k", lastFour: "abcd", scopes: null, models: null, ips: null, expiresAt: null, revokedAt: null, createdAt: 1 };
  assert.ok(await store.createKey({ id, account, ...rest, limits, spentNanos: 0, hash: id }));
  return id;
}

for (const [name, open] of Object.entries(stores)) {
  describe(`charges in the ${name} store`, () => {
    let opened: Opened | null = null;
    before(async () => {
      opened = await open();
    });
    after(() => opened?.end());

    function check(says: string, act: (store: Store) => Promise<void>): void {
      test(says, async (context) => {
        if (opened === null) return context.skip("no PostgreSQL on this machine");
        await act(opened.store);
        assert.ok(await booksAgree(opened.store), "the books agree");
      });
    }

    const account = async (store: Store, id: string) => {
      const found = await store.account({ idOrName: id });
      assert.ok(found);
      return found;
    };

    check("a charge moves from what is available to what is spent", async (store) => {
      const id = await richAccount(store, 1_000);
      await store.charge(charge(id, 150));
      const { availableNanos, heldNanos, spentNanos } = await account(store, id);
      assert.deepEqual({ availableNanos, heldNanos, spentNanos }, { availableNanos: 850, heldNanos: 0, spentNanos: 150 });
    });

    check("five hundred charges at once on twenty accounts are each paid once", async (store) => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => richAccount(store, 1_000_000)));
      const keys = await Promise.all(ids.map((id) => keyOf(store, id)));
      const asked = Array.from({ length: 500 }, (_none, n) => charge(ids[n % 20] ?? "", n + 1, { key: keys[n % 20] ?? null }));
      await Promise.all(asked.map((one) => store.charge(one)));
      for (const [place, id] of ids.entries()) {
        const due = asked.filter((one) => one.account === id).reduce((sum, { costNanos }) => sum + costNanos, 0);
        assert.equal((await account(store, id)).spentNanos, due);
        assert.equal((await store.keyById({ id: keys[place] ?? "" }))?.key.spentNanos, due);
      }
    });

    check("what the balance does not cover is ours to bear, and no account goes below zero", async (store) => {
      const id = await richAccount(store, 100);
      await Promise.all(Array.from({ length: 10 }, () => store.charge(charge(id, 30))));
      const { availableNanos, spentNanos } = await account(store, id);
      assert.deepEqual({ availableNanos, spentNanos }, { availableNanos: 0, spentNanos: 100 });
    });

    check("a charge takes nothing of what tasks hold", async (store) => {
      const id = await richAccount(store, 100);
      const request = acceptRequest(id, {}, 80);
      assert.equal((await store.accept(request)).outcome, "accepted");
      await store.charge(charge(id, 50));
      const { availableNanos, heldNanos, spentNanos } = await account(store, id);
      assert.deepEqual({ availableNanos, heldNanos, spentNanos }, { availableNanos: 0, heldNanos: 80, spentNanos: 20 });
      await store.finish(success(request.task.id, null, 80));
      assert.deepEqual((await account(store, id)).spentNanos, 100);
    });

    check("a call that costs nothing is counted and changes no balance", async (store) => {
      const id = await richAccount(store, 100);
      await store.charge(charge(id, 0));
      assert.equal((await account(store, id)).availableNanos, 100);
    });

    check("calls and tasks of a key count against its cap together", async (store) => {
      const id = await richAccount(store, 1_000);
      const key = await keyOf(store, id, 100);
      await store.charge(charge(id, 40, { key }));
      const ask = (hold: number) => {
        const request = acceptRequest(id, {}, hold);
        return store.accept({ ...request, task: { ...request.task, key } });
      };
      assert.equal((await ask(70)).outcome, "over_cap");
      assert.equal((await ask(60)).outcome, "accepted");
      assert.equal((await store.keyById({ id: key }))?.key.spentNanos, 100);
    });

    check("what was used is summed by account, key, operation, model and provider, and by time", async (store) => {
      const id = await richAccount(store, 10_000);
      const key = await keyOf(store, id);
      await Promise.all([
        store.charge(charge(id, 10, { key, calls: 2, estimated: 1 })),
        store.charge(charge(id, 20, { key, now: 119_999 })),
        store.charge(charge(id, 30, { key, now: 120_000 })),
        store.charge(charge(id, 40, { model: "other" })),
        store.charge(charge(id, 50, { key, now: 999_000_000 })),
      ]);
      const rows = await store.callUsage({ account: id, createdAfter: 0, createdBefore: 500_000 });
      const ours = rows.filter((row) => row.model === "m");
      const total = (field: "calls" | "estimated" | "inputTokens" | "outputTokens" | "costNanos" | "ms") =>
        ours.reduce((sum, row) => sum + row[field], 0);
      assert.deepEqual(
        [total("calls"), total("estimated"), total("inputTokens"), total("outputTokens"), total("costNanos"), total("ms")],
        [4, 1, 9, 12, 60, 15],
      );
      assert.deepEqual(
        rows.filter((row) => row.model === "other").map((row) => [row.key, row.costNanos]),
        [[null, 40]],
      );
    });

    check("minutes that are over are posted once, and a charge that comes late to one of them is posted after", async (store) => {
      const id = await richAccount(store, 1_000);
      const hour = 3_600_000_000;
      await store.charge(charge(id, 100, { now: hour }));
      await store.charge(charge(id, 5_000, { now: hour + 1 }));
      await store.postUsage({ now: hour + 60_000 });
      while ((await store.postUsage({ now: hour + 600_000 })) > 0);
      assert.ok(await booksAgree(store));
      assert.equal(await store.postUsage({ now: hour + 600_000 }), 0);
      await store.credit({ id: uuidv7(), account: id, nanos: 50, note: "", now: hour });
      await store.charge(charge(id, 20, { now: hour + 2 }));
      assert.ok(await booksAgree(store));
      while ((await store.postUsage({ now: hour + 600_000 })) > 0);
      assert.equal((await account(store, id)).availableNanos, 30);
    });

    check("whoever listens hears each new balance and what each key has spent, after the commit", async (store) => {
      const heard: [string, number][] = [];
      const listener: MoneyHeard = {
        available: (id, nanos) => void heard.push([id, nanos]),
        spent: (id, nanos) => void heard.push([id, nanos]),
        leased: () => undefined,
      };
      store.onMoney(listener);
      const id = await richAccount(store, 1_000);
      const key = await keyOf(store, id);
      heard.length = 0;
      await store.charge(charge(id, 10, { key }));
      await store.charge(charge(id, 20, { key }));
      assert.deepEqual(
        heard.filter(([who]) => who === id).map(([, nanos]) => nanos),
        [990, 970],
      );
      assert.deepEqual(
        heard.filter(([who]) => who === key).map(([, nanos]) => nanos),
        [10, 30],
      );
    });

    check("the last balance that is heard after many charges at once is the one that is there", async (store) => {
      const last = new Map<string, number>();
      store.onMoney({ available: (id, nanos) => void last.set(id, nanos), spent: () => undefined, leased: () => undefined });
      const id = await richAccount(store, 1_000_000);
      for (let round = 0; round < 5; round++) {
        const charges = Array.from({ length: 40 }, () => store.charge(charge(id, 7)));
        const credits = Array.from({ length: 20 }, () => store.credit({ id: uuidv7(), account: id, nanos: 3, note: "", now: 1 }));
        const tasks = Array.from({ length: 20 }, () => store.accept(acceptRequest(id, {}, 11)));
        await Promise.all([...charges, ...credits, ...tasks]);
        assert.equal(last.get(id), (await account(store, id)).availableNanos);
      }
    });

    check("a purse that listens never grants more than there is, whatever is charged and credited meanwhile", async (store) => {
      const id = await richAccount(store, 1_000);
      const purse = createPurse(store);
      store.onMoney(purse);
      let isOverdrawn = false;
      const call = async () => {
        const reservation = await purse.reserve(id, null, 50, 50);
        if (reservation === null) return;
        const left = (await account(store, id)).availableNanos;
        if (left < 50) isOverdrawn = true;
        await store.charge(charge(id, 50));
        reservation.release();
      };
      await Promise.all(Array.from({ length: 60 }, call));
      assert.equal(isOverdrawn, false);
      const { availableNanos, spentNanos } = await account(store, id);
      assert.deepEqual({ availableNanos, spentNanos }, { availableNanos: 0, spentNanos: 1_000 });
    });
  });
}

describe("two nodes on one PostgreSQL", () => {
  let server: Awaited<ReturnType<typeof startPostgres>> = null;
  let nodes: Store[] = [];
  before(async () => {
    server = await startPostgres();
    if (server === null) return;
    const { url } = server;
    nodes = [await openPostgresStore(url), await openPostgresStore(url)];
  });
  after(async () => {
    for (const node of nodes) await node.close();
    await server?.stop();
  });

  test("post each minute to the ledger once, also at the same time", async (context) => {
    const [one, two] = nodes;
    if (one === undefined || two === undefined) return context.skip("no PostgreSQL on this machine");
    for (let round = 1; round <= 10; round++) {
      const id = await richAccount(one, 1_000_000);
      const now = round * 3_600_000;
      await Promise.all(nodes.flatMap((node) => Array.from({ length: 20 }, () => node.charge(charge(id, 7, { now })))));
      await Promise.all(nodes.map((node) => node.postUsage({ now: now + 600_000 })));
      assert.ok(await booksAgree(one), `round ${round}: ${JSON.stringify(await one.auditBooks())}`);
    }
  });

  test("take no more than there is from one account between them, and find each other's credit", async (context) => {
    const [one, two] = nodes;
    if (one === undefined || two === undefined) return context.skip("no PostgreSQL on this machine");
    const id = await richAccount(one, 100);
    await Promise.all(nodes.flatMap((node) => Array.from({ length: 30 }, () => node.charge(charge(id, 7)))));
    assert.equal((await one.account({ idOrName: id }))?.availableNanos, 0);
    const purse = createPurse(two);
    two.onMoney(purse);
    assert.equal(await purse.reserve(id, null, 10, 10), null);
    await one.credit({ id: uuidv7(), account: id, nanos: 500, note: "", now: 1 });
    assert.equal((await purse.reserve(id, null, 10, 10))?.nanos, 10);
  });
});
