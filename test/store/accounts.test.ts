import assert from "node:assert/strict";
import { noLimits } from "../../src/core/accounts.ts";
import { noBudget } from "../../src/core/budget.ts";
import type { Store } from "../../src/core/ports.ts";
import type { Key } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { onEachStore } from "./each-store.ts";
import { acceptRequest, richAccount } from "./fixture.ts";

async function makeKey(store: Store, account: string, more: Partial<Key> = {}): Promise<Key | null> {
  const id = uuidv7();
  const open = { scopes: null, models: null, ips: null, expiresAt: null, revokedAt: null };
  return store.createKey({
    id,
    account,
    name: "k",
    lastFour: "abcd",
    ...open,
    createdAt: 1,
    limits: noLimits,
    spentNanos: 0,
    ...more,
    hash: `hash of ${more.id ?? id}`,
  });
}

onEachStore("accounts and keys", (check) => {
  check("an account is found by id and by name, and its name is taken for good", async (store) => {
    const id = uuidv7();
    const name = `Ärger & Söhne ☃ ${id}`;
    const made = await store.createAccount({ id, name, starter: true, now: 1_234 });
    const nothing = { availableNanos: 0, heldNanos: 0, spentNanos: 0 };
    assert.deepEqual(made, { id, name, ...nothing, frozen: false, starter: true, createdAt: 1_234, budget: noBudget });
    assert.deepEqual(await store.account({ idOrName: name }), made);
    assert.deepEqual(await store.account({ idOrName: id }), made);
    assert.equal(await store.createAccount({ id: uuidv7(), name, starter: false, now: 1 }), null);
    assert.equal(await store.account({ idOrName: name.toUpperCase() }), null, "names differ by case");
  });

  check("one name a hundred times at once makes one account", async (store) => {
    const name = `wanted ${uuidv7()}`;
    const made = await Promise.all(Array.from({ length: 100 }, () => store.createAccount({ id: uuidv7(), name, starter: false, now: 1 })));
    assert.equal(made.filter((account) => account !== null).length, 1);
  });

  check("an account is renamed and frozen, one without touching the other, and a frozen one starts nothing", async (store) => {
    const id = await richAccount(store, 1_000);
    const renamed = await store.updateAccount({ id, name: `renamed ${id}` });
    assert.deepEqual([renamed?.name, renamed?.frozen, renamed?.availableNanos], [`renamed ${id}`, false, 1_000]);
    const frozen = await store.updateAccount({ id, frozen: true });
    assert.deepEqual([frozen?.name, frozen?.frozen], [`renamed ${id}`, true]);
    assert.equal((await store.accept(acceptRequest(id))).outcome, "frozen");
    assert.equal((await store.updateAccount({ id, frozen: false }))?.frozen, false);
    assert.equal((await store.accept(acceptRequest(id))).outcome, "accepted");
    assert.equal(await store.updateAccount({ id: uuidv7(), name: `nobody ${id}` }), null);
  });

  check("a key comes back with everything it may and may not, and its account beside it", async (store) => {
    const account = await richAccount(store, 1_000);
    const limits = { requestsPerMinute: 1, tokensPerMinute: 2, concurrentCalls: 3, concurrentTasks: 4, spendCapNanos: 5_000_000_000 };
    const rights = { scopes: ["tasks"], models: ["gen-*", 'a "b"'], ips: ["10.0.0.0/8"], expiresAt: 9_999_999_999_999 };
    const made = await makeKey(store, account, { ...rights, limits });
    assert.ok(made);
    const found = await store.keyById({ id: made.id });
    assert.deepEqual(found?.key, { ...made, ...rights, limits, spentNanos: 0 });
    assert.deepEqual([found?.hash, found?.account.id, found?.account.availableNanos], [`hash of ${made.id}`, account, 1_000]);
    assert.equal(await store.keyById({ id: uuidv7() }), null);
    assert.equal(await makeKey(store, uuidv7()), null, "a key needs its account");
  });

  check("a change of a key touches what it names alone, and null takes a limit away", async (store) => {
    const account = await richAccount(store, 1_000);
    const made = await makeKey(store, account, { scopes: ["tasks"], limits: { ...noLimits, requestsPerMinute: 7, spendCapNanos: 9 } });
    assert.ok(made);
    const named = await store.updateKey({ id: made.id, name: "other", limits: { requestsPerMinute: 8 } });
    assert.deepEqual(named, { ...made, name: "other", limits: { ...made.limits, requestsPerMinute: 8 } });
    const opened = await store.updateKey({ id: made.id, scopes: null, models: ["m"], expiresAt: 5, limits: { spendCapNanos: null } });
    assert.deepEqual([opened?.scopes, opened?.models, opened?.expiresAt, opened?.limits.spendCapNanos], [null, ["m"], 5, null]);
    const revoked = await store.updateKey({ id: made.id, revokedAt: 77, expiresAt: null });
    assert.deepEqual([revoked?.revokedAt, revoked?.expiresAt, revoked?.name], [77, null, "other"]);
    assert.deepEqual((await store.keyById({ id: made.id }))?.key, revoked);
    assert.equal(await store.updateKey({ id: uuidv7(), name: "nobody" }), null);
  });

  check("accounts, keys and credits are listed page by page, each once, and those of one account alone if asked", async (store) => {
    const accounts = [await richAccount(store, 10), await richAccount(store, 20), await richAccount(store, 30)];
    const [first = "", second = ""] = accounts;
    for (const account of [first, first, second]) await makeKey(store, account);
    await store.credit({ id: uuidv7(), account: first, nanos: -4, note: "taken back", now: 55 });
    const listed = await pages((page) => store.listAccounts(page));
    assert.deepEqual(
      listed.filter(({ id }) => accounts.includes(id)).map(({ id, availableNanos }) => [id, availableNanos]),
      [
        [accounts[0], 6],
        [accounts[1], 20],
        [accounts[2], 30],
      ],
    );
    assert.deepEqual((await pages((page) => store.listKeys({ ...page, account: first }))).length, 2);
    const keys = await pages((page) => store.listKeys(page));
    assert.equal(new Set(keys.map(({ id }) => id)).size, keys.length);
    const credits = await pages((page) => store.listCredits({ ...page, account: first }));
    assert.deepEqual(
      credits.map(({ nanos, note, createdAt, account }) => [nanos, note, createdAt, account]),
      [
        [-4, "taken back", 55, first],
        [10, "", 1, first],
      ],
      "the newest first",
    );
    assert.equal((await store.listCredits({ limit: 2 })).length, 2);
  });

  check("what an operator did is kept in its order, newest first", async (store) => {
    const acts = [1, 2, 3].map((n) => ({
      id: uuidv7(),
      actor: "admin",
      act: `act ${n}`,
      subject: "s",
      detail: '{"n":1}',
      now: 1_700_000_000_000 + n,
    }));
    for (const act of acts) await store.recordAudit(act);
    const [newest, ...older] = await store.listAudit({ limit: 3 });
    assert.deepEqual(newest, { id: acts[2]?.id, actor: "admin", act: "act 3", subject: "s", detail: '{"n":1}', at: 1_700_000_000_003 });
    assert.deepEqual(await store.listAudit({ limit: 2, after: newest?.id ?? "" }), older);
  });
});

/** All that a list holds, two at a time. */
async function pages<T extends { id: string }>(list: (page: { limit: number; after?: string }) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (let page = await list({ limit: 2 }); page.length > 0; page = await list({ limit: 2, after: all.at(-1)?.id ?? "" }))
    all.push(...page);
  return all;
}
