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

    check("a job that fails after it was accepted goes to another queue under the same hold, and its slot is free", async (store) => {
      const account = await richAccount(store, 1_000);
      const request = acceptRequest(account, { lane: "first" });
      await store.accept(request);
      const lane = (queue: string) =>
        claimRequest({ lanes: [{ lane: queue, provider: queue, credentials: [{ id: "k", limit: 1, most: 1 }] }] });
      const claim = (await store.claim(lane("first"))).runs.find(({ taskId }) => taskId === request.task.id);
      assert.ok(claim);
      await store.intend({ ...claim, model: "m" });
      await store.answer({ ...claim, now: 3_000, outcome: "accepted", upstreamId: "u", keep: {}, pollAt: 4_000 });
      await store.answer({
        ...claim,
        now: 5_000,
        outcome: "rejected",
        failure: "transient",
        cause: "it failed",
        lane: "second",
        credential: null,
        retryAt: 5_000,
      });
      const used = (await store.gates()).find((gate) => gate.lane === "first")?.used;
      assert.equal(used, 0);
      // What an older poll still says of the first job is of no effect.
      assert.equal(await store.finish(failure(request.task.id, claim.fence)), null);
      const again = (await store.claim({ ...lane("second"), now: 6_000 })).runs.find(({ taskId }) => taskId === request.task.id);
      assert.equal(again?.attempt.n, 2);
      assert.equal((await store.task({ id: request.task.id, account }))?.status, "QUEUED");
      const attempts = await store.attempts({ taskId: request.task.id });
      assert.deepEqual(
        attempts.map(({ provider, state, cause }) => ({ provider, state, cause })),
        [
          { provider: "first", state: "ENDED", cause: "it failed" },
          { provider: "second", state: "PREPARED", cause: null },
        ],
      );
      await store.finish(success(request.task.id, again?.fence ?? null));
      assert.equal((await store.account({ idOrName: account }))?.availableNanos, 900);
    });

    check("a job is asked about at once when its upstream says so, and no other attempt", async (store) => {
      const account = await richAccount(store, 1_000);
      const lane = `told ${account}`;
      const lanes = [{ lane, provider: lane, credentials: [{ id: "k", limit: 9, most: 9 }] }];
      const request = acceptRequest(account, { lane });
      const { id: taskId } = request.task;
      await store.accept(request);
      assert.equal(await store.pollNow({ taskId, attempt: 1, now: 1_500 }), false);
      const claim = (await store.claim(claimRequest({ lanes }))).runs.find((run) => run.taskId === taskId);
      assert.ok(claim);
      await store.intend({ ...claim, model: "m" });
      await store.answer({ ...claim, now: 3_000, outcome: "accepted", upstreamId: "u", keep: {}, pollAt: 60_000 });
      assert.equal(await store.pollNow({ taskId, attempt: 2, now: 3_500 }), false);
      assert.equal(await store.pollNow({ taskId, attempt: 1, now: 3_500 }), true);
      const { polls } = await store.claim(claimRequest({ now: 3_600, lanes: [] }));
      assert.ok(polls.some((poll) => poll.taskId === taskId));
      await store.finish(success(taskId, null));
    });

    check("an act that waits for its client is kept for that account, and forgotten after a day", async (store) => {
      await store.putModal({ id: "modal", account: "mine", body: "{}", now: 1_000 });
      assert.deepEqual(await store.modal({ id: "modal", account: "mine" }), { body: "{}", createdAt: 1_000 });
      assert.equal(await store.modal({ id: "modal", account: "other" }), null);
      await store.prune({ now: 1_000 + 24 * 3_600_000, taskRetentionMs: 1e15, limit: 100 });
      assert.equal(await store.modal({ id: "modal", account: "mine" }), null);
    });
  });
}
