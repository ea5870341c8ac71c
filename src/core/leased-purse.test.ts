import assert from "node:assert/strict";
import { test } from "node:test";
import { noLimits } from "./accounts.ts";
import { createBank } from "./leased-purse.fixture.ts";
import type { LeasedPurse } from "./leased-purse.ts";
import type { Key } from "./records.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function reserve(purse: LeasedPurse, nanos: number, least = nanos) {
  const made = await purse.reserve("a", null, nanos, least);
  assert.ok(made, `${nanos} are granted`);
  return made;
}

test("the first call leases what it needs and some for the next ones, which ask nobody", async () => {
  const bank = createBank(10_000);
  const purse = bank.open("n");
  await reserve(purse, 100);
  assert.deepEqual(bank.leases.get("n"), { epoch: 1, amount: 900 });
  for (let call = 0; call < 8; call++) await reserve(purse, 100);
  assert.equal(bank.asked.length, 1);
  await reserve(purse, 100);
  assert.equal(bank.asked.length, 2);
});

test("calls that come at once ask once, for all of them", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  const made = await Promise.all(Array.from({ length: 40 }, () => purse.reserve("a", null, 30, 30)));
  assert.equal(made.filter((one) => one !== null).length, 33);
  assert.ok(bank.asked.length <= 4, `${bank.asked.length} requests`);
});

test("two nodes never set more aside between them than there is", async () => {
  const bank = createBank(1_000);
  const [one, two] = [bank.open("one"), bank.open("two")];
  const made = await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? one : two).reserve("a", null, 30, 30)));
  assert.equal(made.filter((call) => call !== null).length, 33);
  assert.ok(bank.free() >= 0);
});

test("what is paid leaves the lease, and what was set aside too much is there again", async () => {
  const bank = createBank(100);
  const purse = bank.open("n");
  const call = await reserve(purse, 100);
  assert.equal(await purse.reserve("a", null, 1, 1), null);
  assert.equal(bank.charge(purse, 40), 40);
  call.release();
  assert.equal((await reserve(purse, 100, 1)).nanos, 60);
});

test("as much as there is will do, if it is enough", async () => {
  const bank = createBank(100);
  const purse = bank.open("n");
  const call = await reserve(purse, 500, 100);
  assert.equal(call.nanos, 100);
  call.release();
  assert.equal(await purse.reserve("a", null, 500, 101), null);
});

test("a call that cannot be paid takes nothing from other nodes", async () => {
  const bank = createBank(100);
  assert.equal(await bank.open("one").reserve("a", null, 150, 101), null);
  assert.equal(bank.lent(), 0);
  assert.equal((await reserve(bank.open("two"), 100)).nanos, 100);
});

test("before a call is refused, the others give back what they do not need", async () => {
  const bank = createBank(1_000);
  const [one, two] = [bank.open("one"), bank.open("two")];
  const busy = await reserve(one, 300);
  (await reserve(one, 600)).release();
  assert.ok(bank.free() < 600);
  assert.equal((await reserve(two, 700)).nanos, 700);
  assert.equal(bank.leases.get("one")?.amount, 300);
  assert.equal(bank.charge(one, 300), 300, "a call under way keeps what it needs");
  busy.release();
});

test("a node that was asked for its lease leases only what it needs for a moment", async () => {
  const bank = createBank(1_000);
  const [one, two] = [bank.open("one"), bank.open("two")];
  await reserve(one, 10);
  assert.equal(await two.reserve("a", null, 1_000, 1_000), null);
  bank.pass(100);
  await reserve(one, 10);
  assert.equal(bank.leases.get("one")?.amount, 20);
  bank.pass(500);
  await reserve(one, 10);
  assert.equal(bank.leases.get("one")?.amount, 30 + 121, "and again some for the next ones after it");
});

test("the others are asked once in two seconds, however many calls are refused", async () => {
  const bank = createBank(10);
  const purse = bank.open("n");
  await reserve(purse, 10);
  for (let call = 0; call < 50; call++) assert.equal(await purse.reserve("a", null, 5, 5), null);
  assert.equal(bank.posts, 1);
  assert.ok(bank.asked.length <= 3, `${bank.asked.length} requests`);
  bank.pass(2_000);
  assert.equal(await purse.reserve("a", null, 5, 5), null);
  assert.equal(bank.posts, 2);
});

test("a task's hold is for the store to decide, and a recall gives our own back first", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  (await reserve(purse, 500)).release();
  assert.equal((await purse.reserveHold("a", null, 5_000))?.nanos, 5_000);
  assert.equal(await purse.recall("a"), true);
  assert.equal(bank.lent(), 0);
  assert.equal(await purse.recall("a"), false, "a moment later there is nothing to gain");
});

test("a lease is used for seven tenths of its term and not a moment longer", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  (await reserve(purse, 100)).release();
  bank.pass(13_999);
  (await reserve(purse, 100)).release();
  assert.equal(bank.asked.length, 1);
  bank.pass(1);
  await reserve(purse, 100);
  assert.equal(bank.asked.length, 2);
});

test("a machine that was suspended does not trust its lease, though its steady clock stood still", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  (await reserve(purse, 100)).release();
  bank.wall += 14_000;
  await reserve(purse, 100);
  assert.equal(bank.asked.length, 2);
});

test("a clock that is set back makes no lease last longer", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  (await reserve(purse, 100)).release();
  bank.pass(14_000);
  bank.wall -= 60_000;
  await reserve(purse, 100);
  assert.equal(bank.asked.length, 2);
});

test("a lease in use is renewed in time, one that is idle goes back", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  const call = await reserve(purse, 100);
  bank.pass(8_001);
  await purse.tend();
  assert.deepEqual([bank.asked.length, bank.asked[1]?.needNanos, bank.asked[1]?.until], [2, 0, bank.wall + 20_000]);
  call.release();
  await purse.tend();
  assert.equal(bank.lent(), 0);
  await purse.tend();
  assert.equal(purse.leaseOf("a"), null, "and is forgotten");
});

test("what a call is being given is not tidied away before it has it", async () => {
  const bank = createBank(900);
  const purse = bank.open("n");
  const asked = reserve(purse, 900);
  for (let step = 0; step < 20; step++) {
    void purse.tend();
    await Promise.resolve();
  }
  await asked;
  assert.deepEqual(purse.leaseOf("a"), { node: "n", epoch: 1 });
  assert.equal(bank.charge(purse, 900), 900);
});

test("calls under way whose lease was reclaimed are covered by the next one", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  await reserve(purse, 400);
  bank.leases.clear();
  bank.pass(30_000);
  await purse.tend();
  assert.ok((bank.leases.get("n")?.amount ?? 0) >= 400);
  assert.equal(purse.leaseOf("a")?.epoch, 2);
  assert.equal(bank.charge(purse, 400), 400);
});

for (const when of ["before", "after"] as const) {
  test(`a store that fails ${when} the commit of a lease is told to whoever asks, and the next request knows what there is`, async () => {
    const bank = createBank(1_000);
    const purse = bank.open("n");
    const call = await reserve(purse, 100);
    bank.fails = when;
    await assert.rejects(purse.reserve("a", null, 500, 500), /lost/);
    bank.fails = null;
    assert.equal((await reserve(purse, 900)).nanos, 900);
    assert.equal(bank.leases.get("n")?.amount, 1_000);
    assert.equal(await purse.reserve("a", null, 1, 1), null);
    call.release();
  });
}

test("a charge of which nobody knows whether it was paid makes the lease one to be replaced, and calls are paid from it until then", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  const [lost, other] = [await reserve(purse, 300), await reserve(purse, 400)];
  const lease = bank.leases.get("n");
  if (lease !== undefined) lease.amount -= 300;
  bank.available -= 300;
  purse.forget("a");
  lost.release();
  assert.deepEqual(purse.leaseOf("a"), { node: "n", epoch: 1 });
  assert.equal((await reserve(purse, 300)).nanos, 300);
  assert.deepEqual([bank.lent(), purse.leaseOf("a")?.epoch], [700, 3]);
  assert.equal(await purse.reserve("a", null, 1, 1), null);
  assert.equal(bank.charge(purse, 400), 400);
  other.release();
});

test("a lease that was lost and is not needed goes back whole", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  (await reserve(purse, 100)).release();
  purse.forget("a");
  await purse.tend();
  assert.deepEqual([bank.lent(), purse.leaseOf("a")], [0, null]);
});

test("a lease that is lost while it is being enlarged is not counted", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  await reserve(purse, 100);
  const way = Promise.withResolvers<void>();
  bank.way = way.promise;
  const asking = purse.reserve("a", null, 900, 900);
  await settle();
  assert.equal(bank.lent(), 1_000);
  purse.forget("a");
  way.resolve();
  assert.equal((await asking)?.nanos, 900);
  assert.deepEqual([bank.asked.length, purse.leaseOf("a")?.epoch], [3, 3]);
  assert.equal(bank.charge(purse, 1_000), 1_000);
});

test("what a commit says of another lease than the one in use changes nothing", async () => {
  const bank = createBank(100);
  const purse = bank.open("n");
  (await reserve(purse, 100)).release();
  purse.leased("a", 7, -100);
  purse.leased("b", 1, -100);
  assert.equal((await reserve(purse, 100)).nanos, 100);
});

test("the cap of a key bounds what is set aside, and what is over it leases nothing", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  const key = { id: "k", spentNanos: 40, limits: { ...noLimits, spendCapNanos: 100 } } as Key;
  const first = await purse.reserve("a", key, 500, 10);
  assert.equal(first?.nanos, 60);
  assert.equal(await purse.reserve("a", key, 1, 1), null);
  purse.spent("k", 70);
  first?.release();
  assert.equal((await purse.reserve("a", key, 500, 10))?.nanos, 30);
});

test("a node that ends gives everything back that no call needs", async () => {
  const bank = createBank(1_000);
  const purse = bank.open("n");
  await reserve(purse, 100);
  (await reserve(purse, 50)).release();
  await purse.close();
  assert.equal(bank.lent(), 100);
});
