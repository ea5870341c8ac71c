import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Store } from "../../src/core/ports.ts";
import { acceptRequest, booksAgree, claimRequest, failure, richAccount, stores, success, type Opened } from "./fixture.ts";

for (const [name, open] of Object.entries(stores)) {
  describe(`the ${name} store`, () => {
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

    check("accepts a task with its hold and gives it back whole", async (store) => {
      const account = await richAccount(store, 1_000);
      const request = acceptRequest(account);
      const reply = await store.accept(request);
      assert.equal(reply.outcome, "accepted");
      const task = await store.task({ id: request.task.id, account });
      assert.deepEqual(task?.input, request.task.input);
      assert.equal(task?.status, "SUBMITTED");
      const { availableNanos, heldNanos } = (await store.account({ idOrName: account })) ?? {};
      assert.deepEqual({ availableNanos, heldNanos }, { availableNanos: 900, heldNanos: 100 });
    });

    check("shows a task to its own account alone", async (store) => {
      const request = acceptRequest(await richAccount(store, 1_000));
      await store.accept(request);
      assert.equal(await store.task({ id: request.task.id, account: "somebody else" }), null);
      assert.deepEqual(await store.tasksByIds({ ids: [request.task.id], account: "somebody else" }), []);
    });

    check("of 500 holds at once on a balance for 100, exactly 100 are granted", async (store) => {
      const account = await richAccount(store, 100 * 100);
      const replies = await Promise.all(Array.from({ length: 500 }, () => store.accept(acceptRequest(account))));
      assert.equal(replies.filter(({ outcome }) => outcome === "accepted").length, 100);
      assert.equal(replies.filter(({ outcome }) => outcome === "insufficient").length, 400);
      assert.equal((await store.account({ idOrName: account }))?.availableNanos, 0);
    });

    check("one idempotency key a hundred times at once makes one task and one hold", async (store) => {
      const account = await richAccount(store, 1_000_000);
      const idempotency = { key: "k", route: "r", fingerprint: "f" };
      const requests = Array.from({ length: 100 }, () => acceptRequest(account, { idempotency }));
      const replies = await Promise.all(requests.map((request) => store.accept(request)));
      const ids = new Set(replies.map((reply, index) => (reply.outcome === "replay" ? reply.task.id : requests[index]?.task.id)));
      assert.equal(ids.size, 1);
      assert.equal(replies.filter(({ outcome }) => outcome === "accepted").length, 1);
      assert.equal((await store.account({ idOrName: account }))?.heldNanos, 100);
    });

    check("an idempotency key with another request is a mismatch, and another account's is its own", async (store) => {
      const account = await richAccount(store, 1_000_000);
      await store.accept(acceptRequest(account, { idempotency: { key: "k", route: "r", fingerprint: "one" } }));
      assert.equal(
        (await store.accept(acceptRequest(account, { idempotency: { key: "k", route: "r", fingerprint: "two" } }))).outcome,
        "mismatch",
      );
      const other = await richAccount(store, 1_000_000);
      assert.equal(
        (await store.accept(acceptRequest(other, { idempotency: { key: "k", route: "r", fingerprint: "two" } }))).outcome,
        "accepted",
      );
    });

    check("a slot is taken with the claim and freed with the end", async (store) => {
      const account = await richAccount(store, 1_000);
      const lane = `one at a time ${account}`;
      const lanes = [{ lane, provider: lane, credentials: [{ id: "k", limit: 1, most: 9 }] }];
      await store.accept(acceptRequest(account, { lane }));
      await store.accept(acceptRequest(account, { lane }));
      const [first, ...none] = (await store.claim(claimRequest({ lanes }))).runs;
      assert.ok(first);
      assert.equal(none.length, 0);
      assert.equal((await store.claim(claimRequest({ lanes }))).runs.length, 0);
      assert.equal((await store.finish(success(first.taskId, first.fence)))?.status, "SUCCESS");
      assert.equal((await store.claim(claimRequest({ lanes }))).runs.length, 1);
    });

    check("a new account's first task comes before the rest of a crowd's", async (store) => {
      const crowd = await richAccount(store, 1_000_000);
      const lane = `fair ${crowd}`;
      const lanes = (most: number) => [{ lane, provider: lane, credentials: [{ id: "k", limit: 1_000, most }] }];
      for (let i = 0; i < 50; i++) await store.accept(acceptRequest(crowd, { lane }));
      await store.claim(claimRequest({ lanes: lanes(5) }));
      const newcomer = await richAccount(store, 1_000);
      await store.accept(acceptRequest(newcomer, { lane }));
      const next = (await store.claim(claimRequest({ lanes: lanes(2) }))).runs;
      assert.ok(next.some(({ task }) => task.account === newcomer));
    });

    check("a task is settled once, whoever comes", async (store) => {
      const account = await richAccount(store, 1_000);
      const request = acceptRequest(account);
      await store.accept(request);
      const ends = await Promise.all(
        [success(request.task.id, null), failure(request.task.id, null), success(request.task.id, null)].map((end) => store.finish(end)),
      );
      assert.equal(ends.filter((task) => task !== null).length, 1);
      const { availableNanos = 0, heldNanos, spentNanos = 0 } = (await store.account({ idOrName: account })) ?? {};
      assert.equal(heldNanos, 0);
      assert.equal(availableNanos + spentNanos, 1_000);
    });

    check("a worker whose lease ran out cannot end the task", async (store) => {
      const account = await richAccount(store, 1_000);
      const lane = `lease ${account}`;
      const lanes = [{ lane, provider: lane, credentials: [{ id: "k", limit: 9, most: 9 }] }];
      await store.accept(acceptRequest(account, { lane }));
      const [late] = (await store.claim(claimRequest({ lanes }))).runs;
      const [fresh] = (await store.claim(claimRequest({ lanes, now: 50_000 }))).runs.filter(({ taskId }) => taskId === late?.taskId);
      assert.ok(late && fresh);
      assert.equal(await store.intend({ ...late, model: "m" }), false);
      assert.equal(await store.finish(success(late.taskId, late.fence)), null);
      assert.equal((await store.finish(success(fresh.taskId, fresh.fence)))?.status, "SUCCESS");
    });

    check("an accepted job is polled at its time, and the claim moves it on", async (store) => {
      const account = await richAccount(store, 1_000);
      const lane = `poll ${account}`;
      const lanes = [{ lane, provider: lane, credentials: [{ id: "k", limit: 9, most: 9 }] }];
      await store.accept(acceptRequest(account, { lane }));
      const [run] = (await store.claim(claimRequest({ lanes }))).runs;
      assert.ok(run);
      assert.equal(await store.intend({ ...run, model: "upstream model" }), true);
      const queued = await store.answer({ ...run, now: 3_000, outcome: "accepted", upstreamId: "u1", keep: { a: "b" }, pollAt: 4_000 });
      assert.equal(queued?.status, "QUEUED");
      const mine = (polls: { taskId: string }[]) => polls.filter(({ taskId }) => taskId === run.taskId);
      assert.equal(mine((await store.claim(claimRequest({ now: 3_500 }))).polls).length, 0);
      const [poll] = (await store.claim(claimRequest({ now: 4_100 }))).polls.filter(({ taskId }) => taskId === run.taskId);
      assert.deepEqual(poll?.attempt.keep, { a: "b" });
      assert.equal(poll?.attempt.upstreamId, "u1");
      assert.equal(mine((await store.claim(claimRequest({ now: 4_200 }))).polls).length, 0, "the next poll is later");
      assert.equal((await store.progress({ taskId: run.taskId, status: "IN_PROGRESS", progress: 40, now: 5_000 }))?.progress, 40);
      assert.equal(await store.progress({ taskId: run.taskId, status: "QUEUED", progress: 10, now: 5_000 }), null, "never backwards");
    });

    check("a cancel that must not hit a sent job does not", async (store) => {
      const account = await richAccount(store, 1_000);
      const lane = `sent ${account}`;
      await store.accept(acceptRequest(account, { lane }));
      const [run] = (await store.claim(claimRequest({ lanes: [{ lane, provider: lane, credentials: [{ id: "k", limit: 9, most: 9 }] }] })))
        .runs;
      assert.ok(run);
      await store.intend({ ...run, model: "m" });
      assert.equal(await store.finish({ ...failure(run.taskId, null), onlyUnsent: true }), null);
      assert.equal((await store.finish(failure(run.taskId, null)))?.status, "FAILURE");
    });

    check("a credit counts once, and nothing goes below zero", async (store) => {
      const account = await richAccount(store, 500);
      const credit = { id: `credit ${account}`, account, nanos: 100, note: "n", now: 1 };
      await store.credit(credit);
      await store.credit(credit);
      assert.equal((await store.account({ idOrName: account }))?.availableNanos, 600);
      assert.equal((await store.credit({ ...credit, id: `debit ${account}`, nanos: -601 })).outcome, "insufficient");
      assert.equal((await store.credit({ ...credit, id: `debit2 ${account}`, nanos: -600 })).outcome, "credited");
    });

    check("a bad item spoils no other of its group", async (store) => {
      const account = await richAccount(store, 1_000);
      const good = acceptRequest(account);
      const twice = { ...acceptRequest(account), task: good.task };
      const [first, second] = await Promise.allSettled([store.accept(good), store.accept(twice)]);
      assert.deepEqual([first?.status, second?.status].sort(), ["fulfilled", "rejected"]);
      assert.equal((await store.account({ idOrName: account }))?.heldNanos, 100);
    });

    check("what is told about a task's end goes out with the end", async (store) => {
      const account = await richAccount(store, 1_000);
      const request = acceptRequest(account);
      request.task.hook = { url: "https://example.com/hook", style: "plain", every: false };
      await store.createEndpoint({
        id: `wh ${account}`,
        account,
        url: "https://example.com/all",
        sealedSecret: "s",
        events: ["task.failed"],
        disabledAt: null,
        createdAt: 1,
      });
      await store.accept(request);
      await store.finish(failure(request.task.id, null));
      const listed = await Promise.all([null, `wh ${account}`].map((endpoint) => store.listDeliveries({ account, endpoint, limit: 10 })));
      const deliveries = listed.flat();
      assert.deepEqual(deliveries.map(({ url }) => url).sort(), ["https://example.com/all", "https://example.com/hook"]);
      const chores = (await store.claim(claimRequest({ now: 10_000, lanes: [], chores: 50 }))).chores.filter(({ id }) =>
        deliveries.some((delivery) => delivery.id === id),
      );
      assert.equal(chores.length, 2);
    });

    check("use is counted by account, kind and model", async (store) => {
      const account = await richAccount(store, 1_000);
      const [good, bad] = [acceptRequest(account), acceptRequest(account)];
      for (const request of [good, bad, acceptRequest(account)]) if (request !== undefined) await store.accept(request);
      if (good !== undefined) await store.finish(success(good.task.id, null, 70));
      if (bad !== undefined) await store.finish(failure(bad.task.id, null));
      const rows = await store.usage({ account, createdAfter: 0, createdBefore: 2_000 });
      assert.deepEqual(rows, [{ account, kind: "video", model: "m", tasks: 3, succeeded: 1, failed: 1, costNanos: 70 }]);
      assert.deepEqual(await store.usage({ account, createdAfter: 2_000, createdBefore: 3_000 }), []);
    });

    check("a chore that is planned keeps its time unless it is planned anew", async (store) => {
      const chore = { id: "chore:test", chore: "test", ifAbsent: true };
      await store.scheduleChore({ ...chore, runAt: 20_000 });
      await store.scheduleChore({ ...chore, runAt: 90_000 });
      const due = async (now: number) =>
        (await store.claim(claimRequest({ now, lanes: [], chores: 50 }))).chores.filter(({ id }) => id === chore.id);
      assert.equal((await due(19_000)).length, 0);
      const [claimed] = await due(21_000);
      assert.ok(claimed);
      await store.finishChore({ ...claimed, runAt: null });
    });

    check("forgets finished tasks after their time, and keeps their money in the books", async (store) => {
      const account = await richAccount(store, 1_000);
      const request = acceptRequest(account);
      await store.accept(request);
      await store.finish({
        ...success(request.task.id, null),
        assets: [
          {
            id: `a ${account}`,
            kind: "video",
            mime: "video/mp4",
            bytes: 1,
            expiresAt: 99_999_999,
            storageKey: `key ${account}`,
            sha256: "x",
          },
        ],
      });
      let keys: string[] = [];
      for (let rows = 1; rows > 0;) {
        const pruned = await store.prune({ now: 10_000, taskRetentionMs: 500, limit: 20 });
        keys = [...keys, ...pruned.storageKeys];
        rows = pruned.rows;
      }
      assert.ok(keys.includes(`key ${account}`));
      assert.equal(await store.task({ id: request.task.id, account }), null);
      assert.equal((await store.account({ idOrName: account }))?.spentNanos, 100);
    });
  });
}
