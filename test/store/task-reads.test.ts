import assert from "node:assert/strict";
import type { TaskInput } from "../../src/core/kinds.ts";
import type { Store } from "../../src/core/ports.ts";
import { onEachStore } from "./each-store.ts";
import { acceptRequest, claimRequest, failure, richAccount, success } from "./fixture.ts";

const shape = { durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };

async function accepted(store: Store, account: string, work?: TaskInput): Promise<string> {
  const request = acceptRequest(account, { lane: account }, 100);
  const task = work === undefined ? request.task : { ...request.task, ...work };
  const { outcome } = await store.accept({ ...request, task });
  assert.equal(outcome, "accepted");
  return task.id;
}

const prompted = (prompt: string): TaskInput => ({ kind: "video", input: { prompt, ...shape } });
const goingOn = (taskId: string): TaskInput => ({
  kind: "video",
  input: { prompt: "on", ...shape, source: { act: "extend", taskId, upstreamTaskId: null, video: { from: "file", id: "v" } } },
});

onEachStore("tasks", (check) => {
  check("a text is found in the words of tasks, in whatever case, and nowhere else", async (store) => {
    const account = await richAccount(store, 10_000);
    const find = async (text: string) =>
      (await store.listTasks({ account, limit: 50, text })).map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));
    const fox = await accepted(store, account, prompted('A "Red" FOX\nat 100% speed, Übergröße'));
    const odd = await accepted(store, account, prompted("C:\\ud800 \ud800 half_a character"));
    const song = await accepted(store, account, {
      kind: "music",
      input: { mode: "custom", lyrics: "la la", title: "Снег", tags: "folk, 雪", instrumental: false },
    });
    const call = await accepted(store, account, {
      kind: "chat",
      input: { operation: "chat", body: { model: "m", messages: [{ role: "user", content: "tell a fox tale" }] }, files: [] },
    });
    const other = await richAccount(store, 1_000);
    await accepted(store, other, prompted("another fox"));
    assert.deepEqual(await find("fox"), [fox, call]);
    assert.deepEqual(await find('"rEd" fox'), [fox]);
    assert.deepEqual(await find("übergröße"), [fox]);
    assert.deepEqual(await find("снег"), [song]);
    assert.deepEqual(await find("雪"), [song]);
    assert.deepEqual(await find("FOLK, "), [song]);
    assert.deepEqual(await find("half_a"), [odd]);
    assert.deepEqual(await find("C:\\UD800"), [odd]);
    assert.deepEqual(await find("100%"), [fox], "a sign of its own");
    for (const text of ["half%a", "halfxa", "10_%", "durationSeconds", "aspectRatio", "custom"])
      assert.deepEqual(await find(text), [], text);
  });

  check("what was made is found by its title too", async (store) => {
    const account = await richAccount(store, 10_000);
    const id = await accepted(store, account, { kind: "lyrics", input: { prompt: "sea" } });
    const result = { kind: "lyrics" as const, title: "Harbour", text: "", tags: [] };
    await store.finish({ ...success(id, null), result });
    assert.deepEqual(
      (await store.listTasks({ account, limit: 5, text: "harbour", status: "SUCCESS" })).map((task) => task.id),
      [id],
    );
  });

  check("the family of a task is found from any of its members, and only in its own account", async (store) => {
    const account = await richAccount(store, 10_000);
    const root = await accepted(store, account);
    const child = await accepted(store, account, goingOn(root));
    const sister = await accepted(store, account, goingOn(root));
    const grandchild = await accepted(store, account, goingOn(child));
    const stranger = await accepted(store, account);
    const names = async (id: string, limit = 100, by: string | null = account) =>
      (await store.lineage({ id, account: by, limit })).map((task) => task.id);
    for (const id of [root, child, sister, grandchild]) assert.deepEqual(await names(id), [root, child, sister, grandchild]);
    assert.deepEqual(await names(stranger), [stranger]);
    assert.deepEqual(await names(grandchild, 3), [root, child, grandchild], "whom it comes from goes before others");
    assert.deepEqual(await names(root, 100, null), [root, child, sister, grandchild]);
    const other = await richAccount(store, 0);
    assert.deepEqual(await names(root, 100, other), []);
    assert.deepEqual(
      (await store.listTasks({ account, limit: 10, parent: root })).map(({ id }) => id),
      [sister, child],
    );
    await store.finish(failure(root, null));
    await store.deleteTask({ account, id: root });
    assert.deepEqual(await names(child), [child, grandchild], "what is gone is left out");
  });

  check("the history of a task has its attempts with their times, its money and its messages", async (store) => {
    const account = await richAccount(store, 10_000);
    const request = acceptRequest(account, { lane: account });
    await store.accept({ ...request, task: { ...request.task, hook: { url: "https://example.com", style: "plain", every: false } } });
    const { id } = request.task;
    const lanes = [{ lane: account, provider: "p", credentials: [{ id: "k", limit: 1, most: 1 }] }];
    const { runs } = await store.claim(claimRequest({ now: 2_000, lanes }));
    const fence = runs[0]?.fence ?? 0;
    await store.intend({ taskId: id, fence, model: "up" });
    await store.answer({ taskId: id, fence, now: 3_000, outcome: "accepted", upstreamId: "u1", keep: {}, pollAt: 99_000 });
    await store.finish(success(id, null, 60));
    const { key, attempts, money, deliveries } = await store.taskHistory({ taskId: id });
    assert.equal(key, null);
    assert.deepEqual(
      attempts.map(({ n, provider, model, createdAt, acceptedAt, endedAt }) => ({ n, provider, model, createdAt, acceptedAt, endedAt })),
      [{ n: 1, provider: "p", model: "up", createdAt: 2_000, acceptedAt: 3_000, endedAt: 9_000 }],
    );
    assert.deepEqual(
      money.toSorted((a, b) => a.at - b.at || a.kind.localeCompare(b.kind)),
      [
        { at: 1_000, kind: "hold", nanos: 100 },
        { at: 9_000, kind: "release", nanos: 40 },
        { at: 9_000, kind: "settle", nanos: 60 },
      ],
    );
    assert.deepEqual(
      deliveries.map(({ task, event, state }) => [task, event, state]),
      [[id, "task.succeeded", "pending"]],
    );
    assert.deepEqual(await store.taskHistory({ taskId: "nobody" }), { key: null, attempts: [], money: [], deliveries: [] });
  });

  check("deliveries are found by account, webhook and state", async (store) => {
    const account = await richAccount(store, 10_000);
    const request = acceptRequest(account, { lane: account });
    await store.accept({ ...request, task: { ...request.task, hook: { url: "https://example.com", style: "plain", every: false } } });
    await store.finish(failure(request.task.id, null));
    const list = (filter: object) => store.listDeliveries({ account, limit: 10, ...filter });
    assert.equal((await list({})).length, 1);
    assert.equal((await list({ endpoint: null, state: "pending" })).length, 1);
    assert.equal((await list({ endpoint: "wh_1" })).length, 0);
    assert.equal((await list({ state: "failed" })).length, 0);
    assert.ok((await list({ account: null })).some(({ task }) => task === request.task.id));
  });

  check("the store knows how large it is", async (store) => {
    assert.ok((await store.size()) > 50_000);
  });
});
