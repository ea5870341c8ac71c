import assert from "node:assert/strict";
import { test } from "node:test";
import { createBreaker, placeOf, readPlace } from "./breaker.ts";

const place = "provider/model/key";

function breakerAt(start = 1_000_000) {
  let now = start;
  const breaker = createBreaker(() => now);
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) breaker.failed(place, "transient");
  };
  return { breaker, fail, pass: (ms: number) => void (now += ms) };
}

test("four failures in half a minute change nothing, the fifth closes the place", () => {
  const { breaker, fail } = breakerAt();
  fail(4);
  assert.equal(breaker.admits(place), "open");
  fail(1);
  assert.equal(breaker.admits(place), "closed");
  assert.deepEqual(
    breaker.resting().map(({ why }) => why),
    ["broken"],
  );
  assert.equal(breaker.admits("provider/model/other"), "open");
});

test("failures older than half a minute are forgotten, and so are all after a success", () => {
  const { breaker, fail, pass } = breakerAt();
  fail(4);
  pass(30_001);
  fail(4);
  assert.equal(breaker.admits(place), "open");
  breaker.succeeded(place);
  fail(4);
  assert.equal(breaker.admits(place), "open");
});

test("what the client did or asked wrongly is no failure of the place", () => {
  const { breaker } = breakerAt();
  for (const why of ["invalid", "content_policy", "cancelled", "unsupported", "not_found", "input_unreachable"] as const)
    for (let n = 0; n < 9; n++) breaker.failed(place, why);
  assert.equal(breaker.admits(place), "open");
});

test("after its rest one call probes; the place opens with its success and rests twice as long without", () => {
  const { breaker, fail, pass } = breakerAt();
  fail(5);
  for (const rest of [10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
    pass(rest - 1);
    assert.equal(breaker.admits(place), "closed");
    pass(1);
    assert.equal(breaker.admits(place), "open");
    assert.equal(breaker.begin(place), true);
    assert.equal(breaker.begin(place), false, "only one");
    assert.equal(breaker.admits(place), "closed");
    breaker.failed(place, "timeout");
  }
  pass(120_000);
  assert.equal(breaker.begin(place), true);
  breaker.succeeded(place);
  assert.equal(breaker.begin(place), true);
  assert.equal(breaker.begin(place), true);
  assert.deepEqual(breaker.resting(), []);
});

test("a probe that its client left lets the next one probe", () => {
  const { breaker, fail, pass } = breakerAt();
  fail(5);
  pass(10_000);
  assert.equal(breaker.begin(place), true);
  breaker.failed(place, "cancelled");
  assert.equal(breaker.admits(place), "open");
  assert.equal(breaker.begin(place), true);
});

test("a call that is sent too early does not count as the probe of a place that still rests", () => {
  const { breaker, fail, pass } = breakerAt();
  fail(5);
  pass(5_000);
  assert.equal(breaker.begin(place), false);
  pass(5_000);
  assert.equal(breaker.begin(place), true);
});

test("calls that were under way when the place closed do not make its rest longer", () => {
  const { breaker, fail, pass } = breakerAt();
  fail(20);
  pass(10_000);
  assert.equal(breaker.admits(place), "open");
});

test("a place that says it is full is asked last for as long as it says, and no longer than two minutes", () => {
  const { breaker, pass } = breakerAt();
  breaker.failed(place, "rate_limit", 7_000);
  assert.equal(breaker.admits(place), "full");
  assert.deepEqual(
    breaker.resting().map(({ why }) => why),
    ["full"],
  );
  pass(7_000);
  assert.equal(breaker.admits(place), "open");
  breaker.failed(place, "rate_limit");
  pass(1_000);
  assert.equal(breaker.admits(place), "open");
  breaker.failed(place, "rate_limit", 86_400_000);
  pass(120_000);
  assert.equal(breaker.admits(place), "open");
});

test("the name of a place says again what it was made of", () => {
  assert.deepEqual(readPlace(placeOf("relay", "chat", "meta/llama:free", "k_1")), {
    provider: "relay",
    model: "meta/llama:free",
    credential: "k_1",
  });
});
