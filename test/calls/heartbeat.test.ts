import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { beat } from "../../src/http/calls/heartbeat.ts";

/** Time that passes only when the test says so. */
function stillTime(t: TestContext): (ms: number) => void {
  let now = 1_000;
  t.mock.timers.enable({ apis: ["setInterval"] });
  t.mock.method(performance, "now", () => now);
  return (ms) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      now += 1_000;
      t.mock.timers.tick(1_000);
    }
  };
}

function stream(): { raw: ServerResponse; written: string[] } {
  const written: string[] = [];
  return { raw: { write: (text: string) => written.push(text) } as unknown as ServerResponse, written };
}

test("a stream that is silent gets a comment every quarter of a minute, and one that moves gets none", (t) => {
  const pass = stillTime(t);
  const [silent, lively] = [stream(), stream()];
  const one = beat(silent.raw);
  const two = beat(lively.raw);
  for (let n = 0; n < 6; n++) {
    pass(10_000);
    two.moved();
  }
  assert.ok(silent.written.length >= 3 && silent.written.length <= 4, String(silent.written.length));
  assert.ok(
    silent.written.every((text) => /^:.*\n\n$/.test(text)),
    "comments, which no reader of events sees",
  );
  assert.deepEqual(lively.written, []);
  one.stop();
  two.stop();
});

test("the first comment comes between 15 and 20 seconds of silence", (t) => {
  const pass = stillTime(t);
  const { raw, written } = stream();
  const pulse = beat(raw);
  pass(14_000);
  assert.equal(written.length, 0);
  pass(6_000);
  assert.equal(written.length, 1);
  pulse.stop();
});

test("a stream that is over is left alone, and the clock stops with the last one", (t) => {
  const pass = stillTime(t);
  const [first, second] = [stream(), stream()];
  const one = beat(first.raw);
  const two = beat(second.raw);
  one.stop();
  pass(20_000);
  assert.deepEqual([first.written.length, second.written.length], [0, 1]);
  two.stop();
  two.stop();
  pass(60_000);
  assert.equal(second.written.length, 1);
  const third = stream();
  const again = beat(third.raw);
  pass(20_000);
  assert.equal(third.written.length, 1);
  again.stop();
});
