import assert from "node:assert/strict";
import type { NewAsset, StoredAsset } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { onEachStore } from "./each-store.ts";
import { acceptRequest, claimRequest, richAccount, success } from "./fixture.ts";

function upload(account: string, more: Partial<StoredAsset> = {}): StoredAsset {
  const id = uuidv7();
  const file = { kind: "image", mime: "image/png", bytes: 3_000_000_000, sha256: "f".repeat(64), name: "Foto ☃.png", purpose: "input" };
  return { id, account, task: null, ...file, storageKey: `key ${id}`, createdAt: 1_000, expiresAt: 8_000_000_000_000, ...more };
}

const made = (id: string): NewAsset => ({
  id,
  kind: "video",
  mime: "video/mp4",
  bytes: 9,
  expiresAt: 9e12,
  storageKey: `key ${id}`,
  sha256: "x",
});

onEachStore("assets", (check) => {
  check("an upload comes back whole, to its own account alone, until it is deleted", async (store) => {
    const account = await richAccount(store, 0);
    const file = upload(account);
    await store.putAsset(file);
    assert.deepEqual(await store.asset({ id: file.id, account }), file);
    assert.deepEqual(await store.asset({ id: file.id, account: null }), file);
    assert.equal(await store.asset({ id: file.id, account: "somebody else" }), null);
    assert.equal(await store.deleteAsset({ id: file.id, account: "somebody else" }), null);
    assert.equal(await store.deleteAsset({ id: file.id, account }), file.storageKey);
    assert.equal(await store.deleteAsset({ id: file.id, account }), null);
    assert.equal(await store.asset({ id: file.id, account }), null);
  });

  check("files are an account's uploads, newest first, without what was made for it", async (store) => {
    const account = await richAccount(store, 1_000);
    const files = [upload(account), upload(account), upload(account)];
    for (const file of [...files, upload(account, { purpose: "result" }), upload("somebody else")]) await store.putAsset(file);
    const request = acceptRequest(account);
    await store.accept(request);
    await store.finish({ ...success(request.task.id, null), assets: [made(`a ${account}`)] });
    const newest = files.map(({ id }) => id).toReversed();
    assert.deepEqual(
      (await store.listFiles({ account, limit: 9 })).map(({ id }) => id),
      newest,
    );
    assert.deepEqual(
      (await store.listFiles({ account, limit: 1, after: newest[0] ?? "" })).map(({ id }) => id),
      [newest[1]],
    );
    assert.equal(await store.deleteAsset({ id: `a ${account}`, account }), null, "a task's result goes with its task");
  });

  check("a task is forgotten when it has ended, with what hangs on it, and only by its account", async (store) => {
    const account = await richAccount(store, 1_000);
    const idempotency = { key: "k", route: "r", fingerprint: "f" };
    const request = acceptRequest(account, { idempotency });
    const songs = [uuidv7(), uuidv7()];
    request.task = { ...request.task, songIds: songs, hook: { url: "https://example.com/hook", style: "plain", every: true } };
    await store.accept(request);
    const { id } = request.task;
    assert.deepEqual(
      (await store.tasksByIds({ ids: songs, account })).map((task) => task.id),
      [id],
      "found by its songs",
    );
    assert.deepEqual(await store.deleteTask({ account, id }), { outcome: "running" });
    await store.finish({ ...success(id, null), assets: [made(`a ${account}`), made(`b ${account}`)] });
    assert.equal((await store.asset({ id: `a ${account}`, account }))?.task, id);
    assert.deepEqual(await store.deleteTask({ account: "somebody else", id }), { outcome: "absent" });
    const gone = await store.deleteTask({ account, id });
    assert.ok(gone.outcome === "deleted");
    assert.deepEqual(gone.storageKeys.toSorted(), [`key a ${account}`, `key b ${account}`]);
    assert.deepEqual(await store.deleteTask({ account, id }), { outcome: "absent" });
    assert.equal(await store.task({ id, account: null }), null);
    assert.equal(await store.asset({ id: `a ${account}`, account: null }), null);
    assert.deepEqual(await store.tasksByIds({ ids: [id, ...songs], account }), []);
    assert.deepEqual(await store.listDeliveries({ account, endpoint: null, limit: 9 }), []);
    assert.equal((await store.accept(acceptRequest(account, { idempotency }))).outcome, "accepted", "its idempotency key is free");
    const { chores } = await store.claim(claimRequest({ now: 1e12, lanes: [], chores: 100 }));
    assert.equal(chores.length, 0, "nobody is told");
    assert.equal((await store.account({ idOrName: account }))?.spentNanos, 100, "its money stays in the books");
  });

  check("of storage keys those that no asset has are unknown", async (store) => {
    const file = upload(await richAccount(store, 0));
    await store.putAsset(file);
    assert.deepEqual(await store.unknownKeys({ storageKeys: [] }), []);
    const many = Array.from({ length: 500 }, (_, n) => `lost ${file.id} ${n}`);
    assert.deepEqual(await store.unknownKeys({ storageKeys: [...many, file.storageKey] }), many);
  });

  check("an act that waits for its client is kept for its account for a day", async (store) => {
    const account = await richAccount(store, 0);
    const id = uuidv7();
    await store.putModal({ id, account, body: '{"prompt":"☃"}', now: 5_000 });
    assert.deepEqual(await store.modal({ id, account }), { body: '{"prompt":"☃"}', createdAt: 5_000 });
    assert.equal(await store.modal({ id, account: "somebody else" }), null);
    const day = 24 * 3_600_000;
    await store.prune({ now: 4_999 + day, taskRetentionMs: 1e12, limit: 100 });
    assert.notEqual(await store.modal({ id, account }), null);
    await store.prune({ now: 5_000 + day, taskRetentionMs: 1e12, limit: 100 });
    assert.equal(await store.modal({ id, account }), null);
  });
});
