import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Store } from "../../src/core/ports.ts";
import type { RunClaim } from "../../src/core/records.ts";
import { isFinal, mayMove, type Status } from "../../src/core/task.ts";
import { acceptRequest, booksAgree, claimRequest, failure, richAccount, stores, success } from "./fixture.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

/** What the world should look like, kept beside the store. */
type Model = {
  now: number;
  accounts: { id: string; creditedNanos: number }[];
  holds: Map<string, { account: string; nanos: number }>;
  spent: Map<string, number>;
  statuses: Map<string, Status>;
  claims: RunClaim[];
};

type Act = (model: Model, store: Store) => Promise<void>;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

const acts: fc.Arbitrary<Act>[] = [
  fc.tuple(fc.nat(), fc.nat(400)).map(([who, nanos]) => async (model, store) => {
    const account = pick(model.accounts, who);
    if (account === undefined) return;
    const request = acceptRequest(account.id, { lane: "property" }, nanos);
    request.task.createdAt = model.now;
    request.task.deadlineAt = model.now + 1_000_000;
    const before = (await store.account({ idOrName: account.id }))?.availableNanos ?? 0;
    const { outcome } = await store.accept(request);
    assert.equal(outcome, before >= nanos ? "accepted" : "insufficient");
    if (outcome !== "accepted") return;
    model.holds.set(request.task.id, { account: account.id, nanos });
    model.statuses.set(request.task.id, "SUBMITTED");
  }),
  fc.nat(20_000).map((ms) => async (model, store) => {
    model.now += ms;
    const lanes = [{ lane: "property", provider: "property", credentials: [{ id: "k", limit: 4, most: 4 }] }];
    const { runs } = await store.claim(claimRequest({ now: model.now, lanes }));
    model.claims.push(...runs);
  }),
  fc.tuple(fc.nat(), fc.boolean()).map(([which, yes]) => async (model, store) => {
    const claim = pick(model.claims, which);
    if (claim === undefined) return;
    const intended = await store.intend({ ...claim, model: "m" });
    if (!intended) return;
    const answer = yes
      ? ({ outcome: "accepted", upstreamId: "u", keep: {}, pollAt: model.now + 1_000 } as const)
      : ({ outcome: "rejected", failure: "transient", cause: "no", lane: "property", credential: null, retryAt: model.now } as const);
    await store.answer({ ...claim, now: model.now, ...answer });
  }),
  fc
    .tuple(fc.nat(), fc.nat(150), fc.constantFrom<Status>("QUEUED", "IN_PROGRESS"))
    .map(([which, progress, status]) => async (model, store) => {
      const taskId = pick([...model.statuses.keys()], which);
      if (taskId !== undefined) await store.progress({ taskId, status, progress, now: model.now });
    }),
  fc.tuple(fc.nat(), fc.nat(600), fc.boolean(), fc.boolean()).map(([which, cost, good, fenced]) => async (model, store) => {
    const claim = pick(model.claims, which);
    const taskId = claim?.taskId ?? pick([...model.holds.keys()], which);
    if (taskId === undefined) return;
    const fence = fenced && claim !== undefined ? claim.fence : null;
    const ended = await store.finish(good ? success(taskId, fence, cost) : failure(taskId, fence));
    const hold = model.holds.get(taskId);
    if (ended === null) return;
    assert.ok(hold, "a task ends once");
    model.holds.delete(taskId);
    model.spent.set(hold.account, (model.spent.get(hold.account) ?? 0) + Math.min(hold.nanos, good ? cost : 0));
  }),
  fc.tuple(fc.nat(), fc.integer({ min: -300, max: 300 })).map(([who, nanos]) => async (model, store) => {
    const account = pick(model.accounts, who);
    if (account === undefined) return;
    const { outcome } = await store.credit({ id: `c ${Math.random()}`, account: account.id, nanos, note: "", now: model.now });
    if (outcome === "credited") account.creditedNanos += nanos;
  }),
];

async function agrees(model: Model, store: Store): Promise<void> {
  for (const { id, creditedNanos } of model.accounts) {
    const account = await store.account({ idOrName: id });
    const held = [...model.holds.values()].filter(({ account: owner }) => owner === id).reduce((sum, { nanos }) => sum + nanos, 0);
    assert.equal(account?.heldNanos, held);
    assert.equal(account?.spentNanos, model.spent.get(id) ?? 0);
    assert.equal(account?.availableNanos, creditedNanos - held - (model.spent.get(id) ?? 0));
  }
  for (const [taskId, before] of model.statuses) {
    const after = (await store.task({ id: taskId, account: null }))?.status ?? before;
    assert.ok(after === before || mayMove(before, after), `${before} to ${after}`);
    assert.equal(isFinal(after), !model.holds.has(taskId), "an end and only an end closes the hold");
    model.statuses.set(taskId, after);
  }
  assert.ok(await booksAgree(store));
}

for (const [name, open] of Object.entries(stores)) {
  test(`whatever happens to tasks in the ${name} store, the books agree and states only move forward (seed ${seed})`, async (context) => {
    const opened = await open();
    if (opened === null) return context.skip("no PostgreSQL on this machine");
    await holds(opened.store).finally(opened.end);
  });
}

async function holds(store: Store): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...acts), { minLength: 5, maxLength: 40 }), async (sequence) => {
      const accounts = await Promise.all(
        [500, 1_000].map(async (creditedNanos) => ({ id: await richAccount(store, creditedNanos), creditedNanos })),
      );
      const model: Model = { now: 10_000, accounts, holds: new Map(), spent: new Map(), statuses: new Map(), claims: [] };
      for (const act of sequence) await act(model, store);
      await agrees(model, store);
      for (const taskId of model.holds.keys()) await store.finish(failure(taskId, null));
      assert.deepEqual(
        (await store.gates()).filter(({ used }) => used !== 0),
        [],
        "no slot is lost",
      );
    }),
    { seed, numRuns: 60 },
  );
}
