import assert from "node:assert/strict";
import { test } from "node:test";
import type { Log } from "./ports.ts";
import type { PulseRow } from "./counts.ts";
import { createPulse, type Finished } from "./pulse.ts";

function fakeStore() {
  const written: PulseRow[][] = [];
  const state = { written, isAway: false, wait: Promise.resolve() };
  const recordPulse = async ({ rows }: { rows: PulseRow[] }) => {
    await state.wait;
    if (state.isAway) throw new Error("away");
    written.push(structuredClone(rows));
  };
  return { state, store: { recordPulse } };
}

function silentLog(): { log: Log; said: string[] } {
  const said: string[] = [];
  const say = (_: object, says: string) => void said.push(says);
  return { log: { info: say, warn: say, error: say }, said };
}

function call(more: Partial<Finished> = {}): Finished {
  const names = { account: "a", key: "k", operation: "chat", model: "m", provider: "p", outcome: "ok" };
  return { ...names, ms: 100, waitMs: null, inputTokens: 1, outputTokens: 2, costNanos: 3, now: 61_000, ...more };
}

const sum = (rows: readonly PulseRow[][]) => rows.flat().reduce((total, { requests }) => total + requests, 0);

test("what is alike and ends in the same minute becomes one row", async () => {
  const { state, store } = fakeStore();
  const pulse = createPulse({ store, log: silentLog().log });
  for (let n = 0; n < 3; n++) pulse.add(call({ now: 61_000 + n }));
  pulse.add(call({ now: 120_000 }));
  pulse.add(call({ key: null, waitMs: 100 }));
  await pulse.flush();
  const rest = { account: "a", operation: "chat", model: "m", provider: "p", outcome: "ok", speed: 14 };
  assert.deepEqual(state.written.flat(), [
    { minute: 60_000, key: "k", ...rest, wait: -1, requests: 3, inputTokens: 3, outputTokens: 6, costNanos: 9 },
    { minute: 120_000, key: "k", ...rest, wait: -1, requests: 1, inputTokens: 1, outputTokens: 2, costNanos: 3 },
    { minute: 60_000, key: "", ...rest, wait: 14, requests: 1, inputTokens: 1, outputTokens: 2, costNanos: 3 },
  ]);
  await pulse.flush();
  assert.equal(state.written.length, 1, "nothing is written twice");
});

test("whatever differs in one thing has a row of its own", async () => {
  const { state, store } = fakeStore();
  const pulse = createPulse({ store, log: silentLog().log });
  const kinds: Partial<Finished>[] = [{}, { account: "b" }, { key: "l" }, { operation: "video" }, { model: "p" }, { provider: "m" }];
  const more: Partial<Finished>[] = [{ outcome: "internal" }, { ms: 1_000 }, { waitMs: 0 }, { waitMs: 1_000 }, { now: 180_000 }];
  for (const turn of [1, 2]) for (const kind of [...kinds, ...more]) pulse.add(call({ ...kind, costNanos: turn }));
  await pulse.flush();
  assert.deepEqual(
    state.written.flat().map(({ requests, costNanos }) => [requests, costNanos]),
    [...kinds, ...more].map(() => [2, 3]),
  );
});

test("what the store does not take is kept, added to, and written later once", async () => {
  const { state, store } = fakeStore();
  const { log, said } = silentLog();
  const pulse = createPulse({ store, log });
  state.isAway = true;
  pulse.add(call());
  await pulse.flush();
  assert.equal(said.length, 1);
  pulse.add(call());
  state.isAway = false;
  await pulse.flush();
  assert.deepEqual(
    state.written.flat().map(({ requests, costNanos }) => [requests, costNanos]),
    [[2, 6]],
  );
});

test("what ends while the store is busy belongs to the next time, also when the store then says no", async () => {
  const { state, store } = fakeStore();
  const pulse = createPulse({ store, log: silentLog().log });
  const gate = Promise.withResolvers<void>();
  state.wait = gate.promise;
  state.isAway = true;
  pulse.add(call());
  const first = pulse.flush();
  pulse.add(call());
  assert.equal(pulse.flush(), first, "one at a time");
  gate.resolve();
  await first;
  state.isAway = false;
  await pulse.flush();
  assert.equal(sum(state.written), 2);
  assert.equal(state.written.flat().length, 1);
});

test("much is written in portions, and all of it", async () => {
  const { state, store } = fakeStore();
  const pulse = createPulse({ store, log: silentLog().log });
  for (let n = 0; n < 1_000; n++) pulse.add(call({ model: `m${n}` }));
  await pulse.flush();
  assert.equal(sum(state.written), 1_000);
  assert.ok(state.written.length > 1 && state.written.every((rows) => rows.length <= 256));
});

test("a store that is away for long does not fill the memory, and what is lost is said", async () => {
  const { state, store } = fakeStore();
  const { log, said } = silentLog();
  const pulse = createPulse({ store, log });
  for (let n = 0; n < 25_000; n++) pulse.add(call({ model: `m${n}` }));
  pulse.add(call({ model: "m0" }));
  await pulse.flush();
  assert.equal(sum(state.written), 20_001, "what has a row is still counted");
  assert.ok(said[0]?.includes("missing"));
});
