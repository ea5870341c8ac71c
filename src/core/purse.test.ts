import assert from "node:assert/strict";
import { test } from "node:test";
import { noLimits } from "./accounts.ts";
import { createPurse } from "./purse.ts";
import type { Account, Key } from "./records.ts";

function accountWith(availableNanos: number): Account {
  return { id: "a", availableNanos } as Account;
}

function keyWith(spendCapNanos: number | null, spentNanos = 0): Key {
  return { id: "k", spentNanos, limits: { ...noLimits, spendCapNanos } } as Key;
}

function purseOf(availableNanos: number) {
  return createPurse({ account: () => Promise.resolve(accountWith(availableNanos)) });
}

test("what is reserved is not there for others until it is given back, once", async () => {
  const purse = purseOf(100);
  const first = await purse.reserve("a", null, 60, 60);
  assert.equal(first?.nanos, 60);
  assert.equal(await purse.reserve("a", null, 60, 60), null);
  first?.release();
  first?.release();
  assert.equal((await purse.reserve("a", null, 100, 100))?.nanos, 100);
  assert.equal(await purse.reserve("a", null, 1, 1), null);
});

test("as much as there is will do if it is enough", async () => {
  const purse = purseOf(100);
  assert.equal((await purse.reserve("a", null, 500, 100))?.nanos, 100);
  assert.equal(await purse.reserve("a", null, 500, 1), null);
});

test("of many at once, no more are granted than the balance affords", async () => {
  const purse = purseOf(1_000);
  const granted = await Promise.all(Array.from({ length: 300 }, () => purse.reserve("a", null, 10, 10)));
  assert.equal(granted.filter((one) => one !== null).length, 100);
});

test("a commit that is told while the balance is being read counts, because it is newer", async () => {
  const read = Promise.withResolvers<Account>();
  let reads = 0;
  const purse = createPurse({ account: () => (++reads === 1 ? read.promise : Promise.resolve(accountWith(50))) });
  const asking = purse.reserve("a", null, 80, 80);
  purse.available("a", 50);
  read.resolve(accountWith(100));
  assert.equal(await asking, null);
});

test("every commit's balance counts at once, up and down", async () => {
  const purse = purseOf(0);
  assert.equal(await purse.reserve("a", null, 10, 10), null);
  purse.available("a", 10);
  const held = await purse.reserve("a", null, 10, 10);
  assert.equal(held?.nanos, 10);
  purse.available("a", 5);
  held?.release();
  assert.equal((await purse.reserve("a", null, 10, 1))?.nanos, 5);
});

test("credit that another node gave is found before a call is refused", async () => {
  let available = 0;
  const purse = createPurse({ account: () => Promise.resolve(accountWith(available)) });
  assert.equal(await purse.reserve("a", null, 10, 10), null);
  available = 100;
  assert.equal((await purse.reserve("a", null, 10, 10))?.nanos, 10);
});

test("the cap of a key bounds what is spent and reserved together", async () => {
  const purse = purseOf(1_000);
  const key = keyWith(100, 40);
  const first = await purse.reserve("a", key, 50, 50);
  assert.equal(first?.nanos, 50);
  assert.equal(await purse.reserve("a", key, 20, 20), null);
  assert.equal((await purse.reserve("a", key, 20, 5))?.nanos, 10);
  purse.spent("k", 90);
  first?.release();
  assert.equal(await purse.reserve("a", key, 1, 1), null);
  assert.equal((await purse.reserve("a", keyWith(null), 500, 500))?.nanos, 500);
});

test("an account that nobody knows affords nothing", async () => {
  const purse = createPurse({ account: () => Promise.resolve(null) });
  assert.equal(await purse.reserve("a", null, 1, 1), null);
});

test("a store that cannot be read is told to whoever asks, and asked again by the next", async () => {
  let isDown = true;
  const purse = createPurse({ account: () => (isDown ? Promise.reject(new Error("down")) : Promise.resolve(accountWith(5))) });
  await assert.rejects(purse.reserve("a", null, 1, 1), /down/);
  isDown = false;
  assert.equal((await purse.reserve("a", null, 1, 1))?.nanos, 1);
});
