import assert from "node:assert/strict";
import { test } from "node:test";
import { createBreaker, placeOf } from "./breaker.ts";
import { nextWay, wayAfterFailure, wayAround } from "./next-way.ts";
import type { Attempt } from "./records.ts";
import type { FailureClass } from "./refusal.ts";
import type { Catalog, Installed } from "./routing.ts";
import { acceptedTask, type Task } from "./task.ts";

/** A provider of videos with some keys. */
function installed(name: string, ...keys: string[]): Installed {
  const tasks = { serves: { video: () => ({}) } } as unknown as NonNullable<Installed["provider"]["tasks"]>;
  return {
    name,
    provider: { tasks },
    credentials: keys.map((id) => ({ id, secret: "" })),
    limits: { concurrent: 1, perMinute: null },
    callLimits: { concurrent: null, perMinute: null },
    allowPrivateNetwork: false,
    perNode: false,
    off: false,
  };
}

function worldOf(...providers: Installed[]) {
  const routes = providers.map(({ name }, priority) => ({ provider: name, model: "m", priority, weight: 1 }));
  const catalog = {
    find: () => ({ name: "film", price: {}, routes, maxOutputTokens: null }),
    provider: (name: string) => providers.find((one) => one.name === name) ?? null,
  } as unknown as Catalog;
  const breaker = createBreaker(() => 0);
  const wear = (name: string, key: string) => {
    for (let n = 0; n < 5; n++) breaker.failed(placeOf(name, "video", "m", key), "transient");
  };
  return { needs: { catalog, breaker }, wear };
}

const input = { prompt: "x", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const none = { id: "t", account: "a", price: {}, holdNanos: 0, songIds: [], createdAt: 0, deadlineAt: 0, dialect: "call", model: "film" };
const task = acceptedTask({ ...none, kind: "video", input } as unknown as Parameters<typeof acceptedTask>[0]);
const source = { taskId: "s", upstreamTaskId: "u", act: "extend" };
const pinned: Task = acceptedTask({ ...none, kind: "video", input: { ...input, source } } as unknown as Parameters<typeof acceptedTask>[0]);

/** Attempts as they were made: at a provider with a key, and what that failed with. */
function past(...made: [provider: string, credential: string, failure: FailureClass | null][]): Attempt[] {
  const blank = { model: "m", state: "REJECTED", upstreamId: null, keep: {}, acceptedAt: null, cause: null } as const;
  return made.map(([provider, credential, failure], index) => ({ ...blank, n: index + 1, provider, credential, failure }));
}

const pair = () => worldOf(installed("first", "one", "two"), installed("second", "only"));
const lanes = (way: ReturnType<typeof nextWay>) => way && [way.lane, way.credential];

test("a key that is refused or empty is followed by the next key, and then by the next route", () => {
  const { needs } = pair();
  for (const why of ["auth", "quota"] as const) {
    assert.deepEqual(lanes(nextWay(needs, task, past(["first", "one", why]), why)), ["first", "two"]);
    assert.deepEqual(lanes(nextWay(needs, task, past(["first", "one", why], ["first", "two", why]), why)), ["second", null]);
  }
  const all = past(["first", "one", "auth"], ["first", "two", "auth"], ["second", "only", "auth"]);
  assert.equal(nextWay(needs, task, all, "auth"), null);
});

test("a provider that is full is left for the next route, and without one asked with the next key, and then again", () => {
  assert.deepEqual(lanes(nextWay(pair().needs, task, past(["first", "one", "rate_limit"]), "rate_limit")), ["second", null]);
  const { needs } = worldOf(installed("first", "one", "two"));
  assert.deepEqual(lanes(nextWay(needs, task, past(["first", "one", "rate_limit"]), "rate_limit")), ["first", "two"]);
  const both = past(["first", "one", "rate_limit"], ["first", "two", "rate_limit"]);
  assert.deepEqual(lanes(nextWay(needs, task, both, "rate_limit")), ["first", null]);
});

test("the same again means the same key where another was refused for good", () => {
  const { needs } = worldOf(installed("first", "one", "two"));
  assert.deepEqual(lanes(nextWay(needs, task, past(["first", "two", "transient"]), "transient")), ["first", null]);
  const worn = past(["first", "one", "auth"], ["first", "two", "transient"]);
  assert.deepEqual(lanes(nextWay(needs, task, worn, "transient")), ["first", "two"]);
});

test("what must stay with one key stays, and only waiting can help it", () => {
  const { needs } = pair();
  assert.equal(nextWay(needs, pinned, past(["first", "one", "auth"]), "auth"), null);
  assert.equal(wayAround(needs, pinned, past(["first", "one", null])), null);
  assert.deepEqual(lanes(nextWay(needs, pinned, past(["first", "one", "transient"]), "transient")), ["first", "one"]);
});

test("of two other routes the one that rests comes last, and is still better than none", () => {
  const { needs, wear } = worldOf(installed("first", "a"), installed("second", "b"), installed("third", "c"));
  wear("second", "b");
  const made = past(["first", "a", "transient"]);
  assert.deepEqual(nextWay(needs, task, made, "transient"), { lane: "third", credential: null, isOpen: true });
  wear("third", "c");
  assert.deepEqual(nextWay(needs, task, made, "transient"), { lane: "second", credential: null, isOpen: false });
  assert.equal(wayAround(needs, task, past(["first", "a", null])), null, "nothing is better than what rests");
});

test("around a key that rests leads another key, else another route", () => {
  const { needs, wear } = pair();
  wear("first", "one");
  assert.deepEqual(lanes(wayAround(needs, task, past(["first", "one", null]))), ["first", "two"]);
  wear("first", "two");
  assert.deepEqual(lanes(wayAround(needs, task, past(["first", "one", null]))), ["second", null]);
});

test("a job that failed goes to providers that have not had it, whatever it was, but for what is wrong with the request", () => {
  const { needs } = pair();
  for (const why of ["transient", "timeout", "expired", "quota"] as const)
    assert.deepEqual(lanes(wayAfterFailure(needs, task, past(["first", "one", null]), why)), ["second", null]);
  for (const why of ["content_policy", "invalid", "input_unreachable", "cancelled"] as const)
    assert.equal(wayAfterFailure(needs, task, past(["first", "one", null]), why), null);
  assert.equal(wayAfterFailure(needs, task, past(["first", "one", "transient"], ["second", "only", null]), "transient"), null);
});
