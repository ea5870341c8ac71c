import assert from "node:assert/strict";
import { newDelivery } from "../../src/core/delivery.ts";
import type { Store } from "../../src/core/ports.ts";
import type { ChoreClaim, Delivery, Endpoint } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { onEachStore } from "./each-store.ts";
import { claimRequest, richAccount } from "./fixture.ts";

function endpointOf(account: string): Endpoint {
  return {
    id: `wh_${uuidv7()}`,
    account,
    url: "https://example.com/ü",
    sealedSecret: "sealed",
    events: ["task.failed"],
    disabledAt: null,
    createdAt: 1,
  };
}

const told = (account: string, endpoint: string | null): Delivery =>
  newDelivery({ account, endpoint, task: null, url: "https://example.com", event: "test", style: "event" }, 1_000);

/** The right to make a delivery, if it is due. */
async function due(store: Store, { id }: Delivery, now: number): Promise<ChoreClaim | null> {
  const { chores } = await store.claim(claimRequest({ now, lanes: [], chores: 100 }));
  return chores.find((chore) => chore.id === id) ?? null;
}

const tried = (claim: ChoreClaim, now: number, more: Partial<Parameters<Store["recordDelivery"]>[0]> = {}) => ({
  id: claim.id,
  fence: claim.fence,
  body: "{}",
  now,
  state: "pending" as const,
  status: 500,
  error: "no",
  nextAt: now + 5_000,
  disableEndpoint: false,
  ...more,
});

onEachStore("webhooks", (check) => {
  check("an endpoint comes back whole, is changed in part, and goes, all by its own account alone", async (store) => {
    const account = await richAccount(store, 0);
    const endpoint = endpointOf(account);
    await store.createEndpoint(endpoint);
    const other = { account: "somebody else", id: endpoint.id };
    assert.deepEqual(await store.endpoint({ account, id: endpoint.id }), endpoint);
    assert.equal(await store.endpoint(other), null);
    assert.equal(await store.updateEndpoint({ ...other, disabledAt: 1 }), null);
    assert.deepEqual(await store.updateEndpoint({ account, id: endpoint.id, disabledAt: 9 }), { ...endpoint, disabledAt: 9 });
    const renewed = await store.updateEndpoint({ account, id: endpoint.id, sealedSecret: "new" });
    assert.deepEqual(renewed, { ...endpoint, disabledAt: 9, sealedSecret: "new" });
    assert.equal((await store.updateEndpoint({ account, id: endpoint.id, disabledAt: null }))?.disabledAt, null);
    assert.equal(await store.deleteEndpoint(other), false);
    assert.equal(await store.deleteEndpoint({ account, id: endpoint.id }), true);
    assert.equal(await store.deleteEndpoint({ account, id: endpoint.id }), false);
  });

  check("endpoints are listed by account, and all of them page by page", async (store) => {
    const accounts = [await richAccount(store, 0), await richAccount(store, 0)];
    const [first = "", second = ""] = accounts;
    const endpoints = [endpointOf(first), endpointOf(second), endpointOf(first)];
    for (const endpoint of endpoints) await store.createEndpoint(endpoint);
    assert.deepEqual(await store.listEndpoints({ account: first }), [endpoints[0], endpoints[2]]);
    assert.deepEqual(await store.listAllEndpoints({ account: second, limit: 9 }), [endpoints[1]]);
    const before = endpoints[0]?.id ?? "";
    assert.deepEqual(await store.listAllEndpoints({ account: null, limit: 1, after: before }), [endpoints[1]]);
  });

  check("an account has one secret for its hooks", async (store) => {
    const account = await richAccount(store, 0);
    assert.equal(await store.hookSecret({ account }), null);
    await store.setHookSecret({ account, sealedSecret: "one" });
    await store.setHookSecret({ account, sealedSecret: "two" });
    assert.equal(await store.hookSecret({ account }), "two");
  });

  check("a delivery is tried at its times, each try is counted, and it ends when it was delivered", async (store) => {
    const account = await richAccount(store, 0);
    const delivery = told(account, null);
    await store.announce(delivery);
    assert.deepEqual(await store.delivery({ id: delivery.id }), delivery);
    assert.equal(await due(store, delivery, 999), null);
    const first = await due(store, delivery, 1_000);
    assert.ok(first);
    assert.equal(await due(store, delivery, 1_001), null, "who has it has it alone");
    await store.recordDelivery(tried(first, 2_000));
    assert.deepEqual(await store.delivery({ id: delivery.id }), { ...delivery, body: "{}", attempts: 1, lastStatus: 500, lastError: "no" });
    assert.equal(await due(store, delivery, 6_999), null);
    const second = await due(store, delivery, 7_000);
    assert.ok(second);
    await store.recordDelivery(tried(first, 7_100, { state: "delivered", nextAt: null }));
    assert.equal((await store.delivery({ id: delivery.id }))?.state, "pending", "who had it before says nothing any more");
    await store.recordDelivery(tried(second, 7_200, { state: "delivered", status: 204, error: null, nextAt: null }));
    const { state, attempts, lastStatus, lastError, deliveredAt } = (await store.delivery({ id: delivery.id })) ?? {};
    assert.deepEqual([state, attempts, lastStatus, lastError, deliveredAt], ["delivered", 2, 204, null, 7_200]);
    assert.equal(await due(store, delivery, 1e12), null);
  });

  check("an endpoint that is gone for good is switched off with the try that found it", async (store) => {
    const account = await richAccount(store, 0);
    const endpoint = endpointOf(account);
    await store.createEndpoint(endpoint);
    const delivery = told(account, endpoint.id);
    await store.announce(delivery);
    const claim = await due(store, delivery, 1_000);
    assert.ok(claim);
    await store.recordDelivery(tried(claim, 3_000, { state: "dropped", status: 410, nextAt: null, disableEndpoint: true }));
    assert.equal((await store.endpoint({ account, id: endpoint.id }))?.disabledAt, 3_000);
  });

  check("a delivery is sent again from its first try, by its own account alone", async (store) => {
    const account = await richAccount(store, 0);
    const delivery = told(account, null);
    await store.announce(delivery);
    const claim = await due(store, delivery, 1_000);
    assert.ok(claim);
    await store.recordDelivery(tried(claim, 2_000, { state: "failed", nextAt: null }));
    assert.equal(await store.resend({ account: "somebody else", id: delivery.id, now: 3_000 }), null);
    const again = await store.resend({ account, id: delivery.id, now: 3_000 });
    assert.deepEqual([again?.state, again?.attempts, again?.lastStatus], ["pending", 0, 500]);
    assert.ok(await due(store, delivery, 3_000));
    await store.resend({ account, id: delivery.id, now: 4_000 });
    assert.ok(await due(store, delivery, 4_000), "also while somebody is at it");
  });

  check("deliveries are listed newest first, those of an endpoint apart", async (store) => {
    const account = await richAccount(store, 0);
    const endpoint = endpointOf(account);
    await store.createEndpoint(endpoint);
    const all = [told(account, null), told(account, endpoint.id), told(account, null)];
    for (const delivery of all) await store.announce(delivery);
    const [first = "", , last = ""] = all.map(({ id }) => id);
    const ids = async (page: { endpoint: string | null; limit: number; after?: string }) =>
      (await store.listDeliveries({ account, ...page })).map(({ id }) => id);
    assert.deepEqual(await ids({ endpoint: null, limit: 9 }), [last, first]);
    assert.deepEqual(await ids({ endpoint: null, limit: 9, after: last }), [first]);
    assert.deepEqual(await ids({ endpoint: endpoint.id, limit: 9 }), [all[1]?.id]);
  });
});
