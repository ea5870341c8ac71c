import assert from "node:assert/strict";
import type { Store } from "../../src/core/ports.ts";
import type { PollClaim, RunClaim } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { onEachStore } from "./each-store.ts";
import { acceptRequest, claimRequest, failure, richAccount, success } from "./fixture.ts";

/** A task for which a slot of its own lane is taken at 2,000 for ten seconds. */
async function claimed(store: Store): Promise<RunClaim> {
  const lane = `lane ${uuidv7()}`;
  await store.accept(acceptRequest(await richAccount(store, 1_000), { lane }));
  const lanes = [{ lane, provider: lane, credentials: [{ id: "k", limit: 1, most: 1 }] }];
  return (await store.claim(claimRequest({ lanes, polls: 0 }))).runs[0] ?? assert.fail("nothing was claimed");
}

/** A task whose job an upstream has, to be asked about at 4,000. */
async function sent(store: Store): Promise<RunClaim> {
  const run = await claimed(store);
  assert.ok(await store.intend({ ...run, model: "m" }));
  await store.answer({ ...run, now: 3_000, outcome: "accepted", upstreamId: "u", keep: {}, pollAt: 4_000 });
  return run;
}

async function pollOf(store: Store, { taskId }: RunClaim, now: number): Promise<PollClaim | null> {
  return (await store.claim(claimRequest({ now, lanes: [] }))).polls.find((poll) => poll.taskId === taskId) ?? null;
}

onEachStore("the steps of tasks", (check) => {
  check("a lease that is renewed is not over, and one that was taken over cannot be renewed", async (store) => {
    const run = await claimed(store);
    const lane = run.attempt.provider;
    const lanes = [{ lane, provider: lane, credentials: [{ id: "k", limit: 1, most: 1 }] }];
    const takeOver = async (now: number) =>
      (await store.claim(claimRequest({ now, lanes }))).runs.find(({ taskId }) => taskId === run.taskId);
    const others = await Promise.all([claimed(store), claimed(store)]);
    const kept = await Promise.all(
      [run, ...others, { ...run, fence: run.fence + 1 }].map((claim) => store.renew({ ...claim, leaseUntil: 60_000 })),
    );
    assert.deepEqual(kept, [true, true, true, false]);
    assert.equal(await takeOver(59_000), undefined);
    const next = await takeOver(60_001);
    assert.ok(next && next.fence > run.fence);
    assert.equal(await store.renew({ ...run, leaseUntil: 90_000 }), false);
    assert.equal(await store.park({ ...run, runAt: 90_000 }), false);
    for (const { taskId } of [run, ...others]) await store.finish(failure(taskId, null));
  });

  check("work that is parked comes again at its time", async (store) => {
    const run = await claimed(store);
    const lane = run.attempt.provider;
    const lanes = [{ lane, provider: lane, credentials: [{ id: "k", limit: 1, most: 1 }] }];
    assert.equal(await store.park({ ...run, runAt: 20_000 }), true);
    const again = async (now: number) => (await store.claim(claimRequest({ now, lanes }))).runs.find(({ taskId }) => taskId === run.taskId);
    assert.equal(await again(19_999), undefined);
    assert.equal((await again(20_000))?.attempt.n, run.attempt.n, "it is the same attempt");
    await store.finish(failure(run.taskId, null));
  });

  check("what waits in a queue is found there, and put into another once", async (store) => {
    const [from, to] = [`from ${uuidv7()}`, `to ${uuidv7()}`];
    const account = await richAccount(store, 1_000);
    const ids: string[] = [];
    for (const credential of [null, null, "gone"]) {
      const request = acceptRequest(account, { lane: from, credential });
      await store.accept(request);
      ids.push(request.task.id);
    }
    const placesIn = async (lane: string, dueBefore: number) => {
      const places = (await store.queues({ dueBefore })).filter((place) => place.lane === lane);
      return places.map(({ credential }) => credential).sort();
    };
    assert.deepEqual([await placesIn(from, 999), await placesIn(from, 1_000)], [[], ["", "gone"]]);
    const any = { lane: from, credential: "", dueBefore: 1_000, after: "" };
    const found = await store.waiting({ ...any, limit: 10 });
    assert.deepEqual(
      found.map(({ task, attempt }) => [task.id, attempt]),
      [
        [ids[0], 0],
        [ids[1], 0],
      ],
    );
    assert.deepEqual(await store.waiting({ ...any, limit: 1 }), found.slice(0, 1));
    assert.deepEqual(await store.waiting({ ...any, after: ids[0] ?? "", limit: 10 }), found.slice(1));
    const fence = found[0]?.fence ?? -1;
    const move = { taskId: ids[0] ?? "", fence, lane: to, credential: "k", now: 1_500 };
    assert.equal(await store.redirect({ ...move, fence: fence + 1 }), false, "somebody else has it");
    assert.deepEqual([await store.redirect(move), await store.redirect(move)], [true, false]);
    assert.deepEqual([await placesIn(to, 1_499), await placesIn(to, 1_500)], [[], ["k"]]);
    const lanes = [{ lane: to, provider: to, credentials: [{ id: "k", limit: 1, most: 1 }] }];
    const [run] = (await store.claim(claimRequest({ lanes, polls: 0 }))).runs;
    assert.deepEqual([run?.taskId, run?.attempt.credential], [ids[0], "k"]);
    assert.equal(await store.redirect({ ...move, fence: run?.fence ?? -1 }), false, "it does not wait any more");
    for (const id of ids) await store.finish(failure(id, null));
  });

  check("storing a result is one worker's, who is fenced off when its lease is over", async (store) => {
    const run = await sent(store);
    const poll = await pollOf(store, run, 4_000);
    assert.ok(poll);
    assert.equal(await store.beginCollect({ ...poll, fence: poll.fence + 1, leaseUntil: 30_000 }), null);
    const fence = await store.beginCollect({ ...poll, leaseUntil: 30_000 });
    assert.ok(fence !== null && fence > poll.fence);
    assert.equal(await store.beginCollect({ ...poll, leaseUntil: 30_000 }), null, "it has begun");
    assert.equal(await pollOf(store, run, 29_000), null, "nobody asks meanwhile");
    assert.equal(await store.finish(success(run.taskId, poll.fence)), null);
    const next = await pollOf(store, run, 30_001);
    assert.deepEqual([next?.phase, (next?.fence ?? 0) > fence], ["collect", true]);
    assert.equal(await store.finish(success(run.taskId, fence)), null);
    assert.equal((await store.finish(success(run.taskId, next?.fence ?? null)))?.status, "SUCCESS");
  });

  check("a job whose upstream calls is asked about at once, unless it is being asked about or stored", async (store) => {
    const run = await sent(store);
    const now = (n: number) => store.pollNow({ taskId: run.taskId, attempt: run.attempt.n, now: n });
    assert.equal(await store.pollNow({ taskId: run.taskId, attempt: run.attempt.n + 1, now: 3_100 }), false);
    assert.equal(await now(3_100), true);
    const poll = await pollOf(store, run, 3_100);
    assert.ok(poll);
    await store.beginCollect({ ...poll, leaseUntil: 30_000 });
    assert.equal(await now(3_200), false);
    await store.finish(failure(run.taskId, null));
  });

  check("an operator sees how many wait where, and which jobs nobody knows the end of", async (store) => {
    const waiting = acceptRequest(await richAccount(store, 1_000), { lane: `waits ${uuidv7()}` });
    await store.accept(waiting);
    const run = await sent(store);
    const depth = await store.queueDepth();
    assert.equal(depth.find(({ lane, phase }) => lane === waiting.lane && phase === "start")?.count, 1);
    assert.equal(depth.find(({ lane, phase }) => lane === run.attempt.provider && phase === "poll")?.count, 1);
    await store.finish({ ...failure(run.taskId, null), attemptState: "UNKNOWN", cause: "it was silent" });
    const [lost] = await store.attention({ limit: 1 });
    assert.deepEqual(
      [lost?.taskId, lost?.provider, lost?.cause, typeof lost?.at],
      [run.taskId, run.attempt.provider, "it was silent", "number"],
    );
    assert.ok((await store.attention({ limit: 9, after: run.taskId })).every(({ taskId }) => taskId < run.taskId));
    await store.finish(failure(waiting.task.id, null));
  });

  check("tasks are listed by account, state, kind, model and time, newest or oldest first, page by page", async (store) => {
    const account = await richAccount(store, 10_000);
    const requests = Array.from({ length: 6 }, (_, n) => {
      const request = acceptRequest(account);
      request.task = { ...request.task, model: n % 2 === 0 ? "even" : "odd", createdAt: 1_000 + n };
      return request;
    });
    for (const request of requests) await store.accept(request);
    const ids = requests.map(({ task }) => task.id);
    await store.finish(success(ids[0] ?? "", null));
    const listed = async (question: Partial<Parameters<Store["listTasks"]>[0]>) =>
      (await store.listTasks({ account, limit: 9, ...question })).map(({ id }) => ids.indexOf(id));
    assert.deepEqual(await listed({}), [5, 4, 3, 2, 1, 0]);
    assert.deepEqual(await listed({ oldestFirst: true, limit: 2, after: ids[1] ?? "" }), [2, 3]);
    assert.deepEqual(await listed({ limit: 2, after: ids[4] ?? "" }), [3, 2]);
    assert.deepEqual(await listed({ model: "odd", createdAfter: 1_003 }), [5, 3]);
    assert.deepEqual(await listed({ createdBefore: 1_002 }), [1, 0]);
    assert.deepEqual(await listed({ status: "SUCCESS", kind: "video" }), [0]);
    assert.deepEqual(await listed({ kind: "music" }), []);
    assert.deepEqual(
      (await store.listTasks({ account: null, limit: 1 })).map(({ id }) => id),
      [ids[5]],
    );
    for (const id of ids) await store.finish(failure(id, null));
  });
});
