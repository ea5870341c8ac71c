import assert from "node:assert/strict";
import { test } from "node:test";
import { nextRank, pollDelayMs, retryDelayMs } from "./pace.ts";

const pace = { everyMs: 5_000, perSecond: 100, expectedMs: null };

test("a young job is asked about as often as its upstream allows, an old one ever less", () => {
  assert.equal(pollDelayMs(0, pace, 1), 5_000);
  assert.equal(pollDelayMs(100_000, pace, 1), 10_000);
  assert.equal(pollDelayMs(3_600_000, pace, 1), 30_000);
});

test("a job that cannot be done yet is left alone", () => {
  assert.equal(pollDelayMs(0, { ...pace, expectedMs: 30_000 }, 1), 20_000);
  assert.equal(pollDelayMs(25_000, { ...pace, expectedMs: 30_000 }, 1), 5_000);
});

test("a crowd is asked about no faster than the upstream's share of a second allows", () => {
  assert.equal(pollDelayMs(0, pace, 10_000), 100_000);
});

test("work goes behind its account's last, but never behind what others were served long ago", () => {
  assert.equal(nextRank(undefined, undefined), 1);
  assert.equal(nextRank(7, 3), 8);
  assert.equal(nextRank(2, 40), 41);
});

test("a repeated attempt waits ever longer, and at least as long as it was told to", () => {
  assert.ok(retryDelayMs(1, undefined) < retryDelayMs(5, undefined));
  assert.equal(retryDelayMs(1, 90_000), 90_000);
});
