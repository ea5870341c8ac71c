import assert from "node:assert/strict";
import { test } from "node:test";
import { createCallGate } from "./call-gate.ts";
import { createTally } from "./tally.ts";

test("a place takes as many calls at a time as it may, and the next when one leaves", () => {
  const gate = createCallGate(createTally(() => 0));
  const limits = { concurrent: 2, perMinute: null };
  assert.deepEqual(
    [1, 2, 3].map(() => gate.enter("a", limits)),
    [true, true, false],
  );
  assert.equal(gate.enter("b", limits), true);
  gate.leave("a");
  assert.deepEqual(
    [1, 2].map(() => gate.enter("a", limits)),
    [true, false],
  );
});

test("a minute takes as many calls as it may, and the next minute as many again", () => {
  let now = 5_000;
  const gate = createCallGate(createTally(() => now));
  const limits = { concurrent: null, perMinute: 2 };
  assert.deepEqual(
    [1, 2, 3].map(() => gate.enter("a", limits)),
    [true, true, false],
  );
  gate.leave("a");
  assert.equal(gate.enter("a", limits), false);
  now += 60_000;
  assert.equal(gate.enter("a", limits), true);
});

test("calls that came before there was a limit count against it", () => {
  const gate = createCallGate(createTally(() => 0));
  assert.equal(gate.enter("a", { concurrent: null, perMinute: null }), true);
  const limits = { concurrent: 2, perMinute: null };
  assert.deepEqual(
    [1, 2].map(() => gate.enter("a", limits)),
    [true, false],
  );
  gate.leave("a");
  assert.deepEqual(
    [1, 2].map(() => gate.enter("a", limits)),
    [true, false],
  );
});
