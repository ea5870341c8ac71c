import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { grantLease, payFrom } from "./lease.ts";

const nanos = fc.nat(1_000_000);
const wanted = (needNanos: number, extraNanos = 0, leastNanos = 0) => ({ needNanos, leastNanos, extraNanos });

test("what is needed is granted while it is there, and then what there is", () => {
  assert.equal(grantLease(1_000, wanted(300)), 300);
  assert.equal(grantLease(1_000, wanted(1_000)), 1_000);
  assert.equal(grantLease(1_000, wanted(1_001)), 1_000);
  assert.equal(grantLease(0, wanted(5)), 0);
});

test("beside what is needed at most an eighth of the rest is granted, so that others find some too", () => {
  assert.equal(grantLease(1_000, wanted(200, 50)), 250);
  assert.equal(grantLease(1_000, wanted(200, 5_000)), 300);
  assert.equal(grantLease(1_000, wanted(0, 5_000)), 125);
  assert.equal(grantLease(207, wanted(200, 5_000)), 200);
});

test("what would be of no use is left to others", () => {
  assert.equal(grantLease(99, wanted(500, 500, 100)), 0);
  assert.equal(grantLease(100, wanted(500, 500, 100)), 100);
});

test("nothing is granted of what is not there, whatever is asked", () => {
  assert.equal(grantLease(-50, wanted(10, 10)), 0);
  fc.assert(
    fc.property(nanos, nanos, nanos, nanos, (free, need, least, extra) => {
      const granted = grantLease(free, wanted(need, extra, least));
      assert.ok(Number.isSafeInteger(granted) && granted >= 0 && granted <= free);
    }),
  );
});

test("a charge is paid from its lease first, and then from what nobody has leased", () => {
  assert.deepEqual(payFrom(100, 300, 0), { leased: 100, free: 0 });
  assert.deepEqual(payFrom(100, 60, 500), { leased: 60, free: 40 });
  assert.deepEqual(payFrom(100, 0, 500), { leased: 0, free: 100 });
});

test("what neither covers is not paid, and nobody pays more than the cost", () => {
  assert.deepEqual(payFrom(100, 60, 10), { leased: 60, free: 10 });
  assert.deepEqual(payFrom(100, 0, -5), { leased: 0, free: 0 });
  fc.assert(
    fc.property(nanos, nanos, nanos, (cost, lease, left) => {
      const { leased, free } = payFrom(cost, lease, left);
      assert.equal(leased + free, Math.min(cost, lease + left));
      assert.ok(leased <= lease && free <= left);
    }),
  );
});
