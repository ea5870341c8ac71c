import assert from "node:assert/strict";
import type { Alert } from "../../src/core/alert.ts";
import { monthOf, spentInMonth } from "../../src/core/budget.ts";
import type { Store } from "../../src/core/ports.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { onEachStore } from "./each-store.ts";
import { acceptRequest, claimRequest, richAccount, success } from "./fixture.ts";

const day = 24 * 60 * 60 * 1000;
const june = Date.UTC(2026, 5, 1);
const july = Date.UTC(2026, 6, 1);

function call(account: string, costNanos: number, now: number) {
  const names = { key: null, operation: "chat", model: "m", provider: "p", calls: 1, inputTokens: 0, outputTokens: 0, estimated: 0 };
  return { account, ...names, costNanos, ms: 1, now, lease: null };
}

async function due(store: Store, account: string, now: number): Promise<Alert[]> {
  return (await store.dueAlerts({ now })).filter((alert) => alert.account === account);
}

async function raise(store: Store, account: string, now: number): Promise<boolean[]> {
  const raised: boolean[] = [];
  for (const alert of await due(store, account, now)) raised.push(await store.raiseAlert({ alert, event: "budget.reached", body: "{}" }));
  return raised;
}

async function spent(store: Store, account: string, now: number): Promise<number> {
  const found = await store.account({ idOrName: account });
  assert.ok(found);
  return spentInMonth(found, now);
}

onEachStore("budgets and alerts", (check) => {
  check("what is spent is counted in its month, by calls and by tasks, and a new month begins at nothing", async (store) => {
    const account = await richAccount(store, 10_000);
    await store.charge(call(account, 200, june + 5));
    const request = acceptRequest(account, {}, 500);
    await store.accept({ ...request, task: { ...request.task, createdAt: june + 10 } });
    assert.equal(await spent(store, account, june + 20), 200, "a hold is not spent yet");
    await store.finish({ ...success(request.task.id, null, 300), now: june + 30 });
    assert.equal(await spent(store, account, june + 40), 500);
    assert.equal(await spent(store, account, july), 0);
    await store.charge(call(account, 7, july + 1));
    assert.equal(await spent(store, account, july + 2), 7);
    await store.charge(call(account, 3, july - 1));
    assert.equal(await spent(store, account, july + 2), 10, "what comes late counts where it is now");
  });

  check("a budget has the marks that were set, or 80 and 100, and can be taken away", async (store) => {
    const account = await richAccount(store, 1);
    const budget = async () => (await store.account({ idOrName: account }))?.budget;
    assert.deepEqual([(await budget())?.nanos, (await budget())?.marks], [null, [80, 100]]);
    const changed = await store.updateAccount({ id: account, budgetNanos: 1_000, budgetMarks: [50, 90] });
    assert.deepEqual([changed?.budget.nanos, changed?.budget.marks], [1_000, [50, 90]]);
    await store.updateAccount({ id: account, frozen: false });
    assert.deepEqual([(await budget())?.nanos, (await budget())?.marks], [1_000, [50, 90]]);
    await store.updateAccount({ id: account, budgetNanos: null });
    assert.equal((await budget())?.nanos, null);
  });

  check("each mark of a budget is told once in a month, and again in the next", async (store) => {
    const account = await richAccount(store, 1_000_000);
    await store.updateAccount({ id: account, budgetNanos: 1_000 });
    await store.charge(call(account, 799, june + 1));
    assert.deepEqual(await due(store, account, june + 2), []);
    await store.charge(call(account, 1, june + 3));
    const [alert, ...others] = await due(store, account, june + 4);
    assert.deepEqual(others, []);
    assert.deepEqual(alert?.fact, { kind: "budget", mark: 80, budgetNanos: 1_000, spentNanos: 800, month: june });
    assert.deepEqual(await raise(store, account, june + 4), [true]);
    assert.deepEqual(await raise(store, account, june + 5), []);
    await store.charge(call(account, 500, june + 6));
    assert.deepEqual(await raise(store, account, june + 7), [true]);
    assert.deepEqual(await due(store, account, july), [], "a new month");
    await store.charge(call(account, 5_000, july + 1));
    assert.deepEqual(await raise(store, account, july + 2), [true, true]);
    const listed = await store.listAlerts({ account, limit: 10 });
    assert.deepEqual(
      new Set(listed.map(({ fact }) => fact.kind === "budget" && `${fact.month === june ? "june" : "july"} ${fact.mark}`)),
      new Set(["june 80", "june 100", "july 80", "july 100"]),
    );
    await store.updateAccount({ id: account, budgetNanos: 6_000 });
    assert.deepEqual(
      (await due(store, account, july + 3)).map(({ fact }) => fact.kind === "budget" && fact.mark),
      [80],
      "a new budget",
    );
  });

  check("nodes that look at the same time tell it once", async (store) => {
    const account = await richAccount(store, 1_000_000);
    await store.updateAccount({ id: account, budgetNanos: 10, budgetMarks: [100] });
    await store.charge(call(account, 10, june));
    const told = await Promise.all(Array.from({ length: 8 }, () => raise(store, account, june + 1)));
    assert.equal(told.flat().filter(Boolean).length, 1);
    assert.equal((await store.listAlerts({ account, limit: 10 })).length, 1);
  });

  check("those who subscribed are told in the same commit, with the text that was given", async (store) => {
    const account = await richAccount(store, 1_000);
    const endpoint = (id: string, events: string[], disabledAt: number | null = null) =>
      store.createEndpoint({ id: `${id} ${account}`, account, url: `http://a/${id}`, sealedSecret: "s", events, disabledAt, createdAt: 1 });
    await endpoint("one", ["budget.reached", "task.failed"]);
    await endpoint("other", ["balance.low"]);
    await endpoint("gone", ["budget.reached"], 5);
    await store.updateAccount({ id: account, budgetNanos: 10, budgetMarks: [100] });
    await store.charge(call(account, 10, june));
    const [alert] = await due(store, account, june + 1);
    assert.ok(alert);
    assert.equal(await store.raiseAlert({ alert, event: "budget.reached", body: '{"some":"text"}' }), true);
    assert.equal(await store.raiseAlert({ alert: { ...alert, id: uuidv7() }, event: "budget.reached", body: "" }), false);
    const deliveries = await store.listDeliveries({ account, limit: 10 });
    assert.deepEqual(
      deliveries.map(({ url, event, body, task, state, style }) => ({ url, event, body, task, state, style })),
      [{ url: "http://a/one", event: "budget.reached", body: '{"some":"text"}', task: null, state: "pending", style: "event" }],
    );
    const { chores } = await store.claim(claimRequest({ now: june + 2, chores: 50 }));
    assert.ok(chores.some(({ id, chore }) => id === deliveries[0]?.id && chore === "webhook"));
  });

  check("a balance below a twentieth of the latest credits is told once, until there is new credit", async (store) => {
    const account = await richAccount(store, 1_000);
    const credit = (nanos: number, now: number) => store.credit({ id: uuidv7(), account, nanos, note: "", now });
    await credit(600, 40 * day);
    await credit(400, 60 * day);
    await store.charge(call(account, 1_950, 61 * day));
    assert.deepEqual(await due(store, account, 62 * day), [], "50 of 1000 are a twentieth");
    await store.charge(call(account, 1, 62 * day));
    const [alert] = await due(store, account, 63 * day);
    assert.deepEqual(alert?.fact, { kind: "balance", availableNanos: 49, creditedNanos: 1_000 });
    assert.deepEqual(await raise(store, account, 63 * day), [true]);
    assert.deepEqual(await raise(store, account, 64 * day), []);
    await credit(10, 65 * day);
    assert.deepEqual(await due(store, account, 65 * day), [], "59 of 1010 are more");
    await store.charge(call(account, 20, 66 * day));
    assert.deepEqual(await raise(store, account, 66 * day), [true]);
  });

  check("an account that was never credited, and the starter, hear nothing of their balance", async (store) => {
    const [poor, local] = [uuidv7(), uuidv7()];
    await store.createAccount({ id: poor, name: poor, starter: false, now: 1 });
    await store.createAccount({ id: local, name: local, starter: true, now: 1 });
    await store.credit({ id: uuidv7(), account: local, nanos: 100, note: "", now: 1 });
    await store.charge(call(local, 100, 2));
    assert.deepEqual([...(await due(store, poor, 3)), ...(await due(store, local, 3))], []);
  });

  check("alerts are listed newest first in pages, for one account or all", async (store) => {
    const account = await richAccount(store, 1_000);
    for (let n = 1; n <= 3; n++) {
      const fact = { kind: "balance", availableNanos: n, creditedNanos: 100 } as const;
      const alert = { id: uuidv7(Date.UTC(2040, 0, n)), name: `${account} ${n}`, account, fact, at: n };
      await store.raiseAlert({ alert, event: "balance.low", body: "{}" });
    }
    const ats = (alerts: Alert[]) => alerts.map(({ at }) => at);
    const first = await store.listAlerts({ account, limit: 2 });
    assert.deepEqual(ats(first), [3, 2]);
    assert.deepEqual(ats(await store.listAlerts({ account, limit: 2, after: first[1]?.id ?? "" })), [1]);
    assert.deepEqual(ats(await store.listAlerts({ account: null, limit: 3 })), [3, 2, 1]);
  });

  check("months begin at midnight of UTC", async () => {
    assert.equal(monthOf(july - 1), june);
    assert.equal(monthOf(july), july);
  });
});
