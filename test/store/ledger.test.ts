import assert from "node:assert/strict";
import type { LedgerRow } from "../../src/core/ledger-row.ts";
import { placeAfter, taskOfRow } from "../../src/core/ledger-row.ts";
import type { Store } from "../../src/core/ports.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { onEachStore } from "./each-store.ts";
import { acceptRequest, failure, richAccount, success } from "./fixture.ts";

const whole = { from: 0, to: Number.MAX_SAFE_INTEGER };

async function all(store: Store, account: string, range: { from: number; to: number } = whole): Promise<LedgerRow[]> {
  return (await store.ledger({ account, ...range, limit: 10_000 })) ?? [];
}

const minute = 60_000;

/** Money that comes and goes in every way there is; answers when it ended. */
async function livelyAccount(store: Store, seed: number): Promise<{ account: string; endedAt: number }> {
  let state = seed;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const account = await richAccount(store, 5_000);
  const open: string[] = [];
  let now = 10 * minute;
  for (let act = 0; act < 60; act++) {
    // Some happen at the same moment.
    now += random(3) * random(40_000);
    const what = random(6);
    if (what === 0) await store.credit({ id: uuidv7(now), account, nanos: 50 + random(500), note: `=${act}`, now });
    else if (what === 1) await store.credit({ id: uuidv7(now), account, nanos: -random(100), note: "back", now });
    else if (what === 2) {
      const names = { key: null, operation: "chat", model: "m", provider: "p", calls: 1, inputTokens: 1, outputTokens: 1, estimated: 0 };
      await store.charge({ account, ...names, costNanos: random(90), ms: 1, now, lease: null });
    } else if (what === 3) while ((await store.postUsage({ now })) > 0);
    else if (what === 4 || open.length === 0) {
      const request = acceptRequest(account, {}, random(300));
      const { outcome } = await store.accept({ ...request, task: { ...request.task, createdAt: now } });
      if (outcome === "accepted") open.push(request.task.id);
    } else {
      const id = open.splice(random(open.length), 1)[0] ?? "";
      await store.finish({ ...(random(2) === 0 ? success(id, null, random(400)) : failure(id, null)), now });
    }
  }
  return { account, endedAt: now };
}

onEachStore("the ledger as a list", (check) => {
  check("begins with what the balance and unposted calls make, ends at nothing, and each row explains the next", async (store) => {
    for (const seed of [3, 17, 404]) {
      const { account, endedAt } = await livelyAccount(store, seed);
      const rows = await all(store, account);
      assert.ok(rows.length > 20, `seed ${seed}: ${rows.length} rows`);
      const missing = await store.unposted({ account });
      assert.equal((rows[0]?.balanceNanos ?? 0) - missing, (await store.account({ idOrName: account }))?.availableNanos, `seed ${seed}`);
      while ((await store.postUsage({ now: endedAt + 10 * minute })) > 0);
      assert.equal(await store.unposted({ account }), 0);
      const posted = await all(store, account);
      const found = await store.account({ idOrName: account });
      assert.equal(posted[0]?.balanceNanos, found?.availableNanos, `seed ${seed}`);
      for (const list of [rows, posted]) {
        for (const [at, row] of list.entries()) {
          const before = list[at + 1]?.balanceNanos ?? 0;
          assert.equal(row.balanceNanos - row.availableNanos, before, `seed ${seed}, row ${at}`);
        }
      }
      assert.equal(
        posted.reduce((sum, { heldNanos }) => sum + heldNanos, 0),
        found?.heldNanos,
      );
      assert.deepEqual(posted.slice(posted.length - rows.length), rows, "posting adds to its end only");
    }
  });

  check("says the same in pages of any size, by id or from a known place, and within any time", async (store) => {
    const { account } = await livelyAccount(store, 99);
    const rows = await all(store, account);
    for (const limit of [1, 7, 100]) {
      const byId: LedgerRow[] = [];
      const byPlace: LedgerRow[] = [];
      for (let page = await store.ledger({ account, ...whole, limit }); page?.length;) {
        byId.push(...page);
        page = await store.ledger({ account, ...whole, limit, after: byId.at(-1)?.id ?? "" });
      }
      for (let page = await store.ledger({ account, ...whole, limit }); page?.length;) {
        byPlace.push(...page);
        const last = byPlace.at(-1);
        assert.ok(last);
        page = await store.ledger({ account, ...whole, limit, after: placeAfter(last) });
      }
      assert.deepEqual(byId, rows, `in pages of ${limit} by id`);
      assert.deepEqual(byPlace, rows, `in pages of ${limit} by place`);
    }
    const middle = rows[Math.floor(rows.length / 2)]?.at ?? 0;
    const [older, newer] = [await all(store, account, { from: 0, to: middle }), await all(store, account, { ...whole, from: middle })];
    assert.ok(older.length > 0 && newer.length > 0);
    assert.deepEqual([...newer, ...older], rows);
  });

  check("names the task of a hold and of its end, and leaves out what moved nothing", async (store) => {
    const account = await richAccount(store, 1_000);
    const paid = acceptRequest(account, {}, 100);
    const free = acceptRequest(account, {}, 0);
    for (const request of [paid, free]) {
      await store.accept(request);
      await store.finish(success(request.task.id, null, request.task.holdNanos));
    }
    const rows = await all(store, account);
    assert.deepEqual(
      rows.map((row) => [row.kind, taskOfRow(row), row.availableNanos, row.heldNanos, row.balanceNanos]),
      [
        ["settle", paid.task.id, 0, -100, 900],
        ["hold", paid.task.id, -100, 100, 900],
        ["credit", null, 1_000, 0, 1_000],
      ],
    );
  });

  check("is one account's own: a row of another is nothing to go on after", async (store) => {
    const [one, other] = [await richAccount(store, 10), await richAccount(store, 20)];
    const [row] = await all(store, other);
    assert.deepEqual(
      (await all(store, one)).map(({ balanceNanos }) => balanceNanos),
      [10],
    );
    assert.equal(await store.ledger({ account: one, ...whole, limit: 5, after: row?.id ?? "" }), null);
    assert.deepEqual(await all(store, "nobody"), []);
  });
});
