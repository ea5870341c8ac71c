import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Store } from "../../src/core/ports.ts";
import type { RunClaim } from "../../src/core/records.ts";
import { acceptRequest, booksAgree, claimRequest, failure, richAccount, stores, success, type Opened } from "../store/fixture.ts";

const rounds = 20;

/** Two writers meet over each task, on stores whose verbs may run side by side. */
for (const [name, open] of Object.entries(stores)) {
  describe(`two who write at once on ${name}`, () => {
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
        for (const { used, lane } of await opened.store.gates()) assert.equal(used, 0, lane);
      });
    }

    /** A task for which a slot is taken. */
    async function claimed(store: Store, account: string, round: number): Promise<RunClaim> {
      const lane = `lane ${account} ${round}`;
      await store.accept(acceptRequest(account, { lane }));
      const lanes = [{ lane, provider: lane, credentials: [{ id: "k", limit: 1, most: 1 }] }];
      const { runs } = await store.claim(claimRequest({ lanes, polls: 0 }));
      return runs[0] ?? assert.fail("nothing was claimed");
    }

    async function polled(store: Store, account: string, round: number): Promise<RunClaim> {
      const run = await claimed(store, account, round);
      await store.intend({ ...run, model: "m" });
      await store.answer({ ...run, now: 2_000, outcome: "accepted", upstreamId: "u", keep: {}, pollAt: 1e15 });
      return run;
    }

    check("a task is either sent or cancelled unsent, never both", async (store) => {
      const account = await richAccount(store, 1e9);
      for (let round = 0; round < rounds; round++) {
        const run = await claimed(store, account, round);
        const [sent, cancelled] = await Promise.all([
          store.intend({ ...run, model: "m" }),
          store.finish({ ...failure(run.taskId, null), onlyUnsent: true }),
        ]);
        assert.notEqual(sent, cancelled !== null, `sent ${sent}, cancelled ${cancelled !== null}`);
        if (cancelled === null) await store.finish(failure(run.taskId, null));
      }
    });

    check("a cancel of one job does not end the task that has gone to another provider", async (store) => {
      const account = await richAccount(store, 1e9);
      for (let round = 0; round < rounds; round++) {
        const run = await polled(store, account, round);
        const elsewhere = {
          ...run,
          now: 3_000,
          outcome: "rejected",
          failure: "transient",
          cause: "x",
          lane: `other ${account}`,
          credential: null,
          retryAt: 1e15,
        } as const;
        const [cancelled] = await Promise.all([
          store.finish({ ...failure(run.taskId, null), onlySent: run.attempt.n, costNanos: 100 }),
          store.answer(elsewhere),
        ]);
        const task = await store.task({ id: run.taskId, account });
        assert.equal(task?.costNanos ?? null, cancelled === null ? null : 100);
        if (cancelled === null) await store.finish({ ...failure(run.taskId, null), onlyUnsent: true });
        assert.notEqual((await store.task({ id: run.taskId, account }))?.finishedAt ?? null, null);
      }
    });

    check("of a success, an expiry, a cancel and a failover at once, one ends the task, once", async (store) => {
      const account = await richAccount(store, 1e9);
      for (let round = 0; round < rounds; round++) {
        const run = await polled(store, account, round);
        const endings = await Promise.all([
          store.finish(success(run.taskId, run.fence)),
          store.finish(failure(run.taskId, run.fence)),
          store.finish({ ...failure(run.taskId, null), onlySent: run.attempt.n }),
          store.answer({
            ...run,
            now: 3_000,
            outcome: "rejected",
            failure: "transient",
            cause: "x",
            lane: `third ${account}`,
            credential: null,
            retryAt: 1e15,
          }),
          store.pollNow({ taskId: run.taskId, attempt: run.attempt.n, now: 3_000 }),
        ]);
        const ended = endings.slice(0, 3).filter((ending) => ending !== null).length;
        assert.ok(ended <= 1, `${ended} endings`);
        if (ended === 0) await store.finish({ ...failure(run.taskId, null), onlyUnsent: true });
      }
    });
  });
}
