import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../core/errors.ts";
import { EngineError, engineReasons } from "../../engines/engine-error.ts";
import { callOf, workOf } from "../call/call.fixture.ts";
import { refusalOf } from "./failure.ts";
import { openShop, refusalIn } from "./local.fixture.ts";

const live = new AbortController().signal;

test("every trouble of a generator has its class, and its sentence is for the client", () => {
  const classes = engineReasons.map((reason) => [reason, refusalOf(new EngineError(reason, "It is so."), live)]);
  const told = (why: string) => ({ class: why, says: "It is so." });
  assert.deepEqual(Object.fromEntries(classes), {
    invalid: told("invalid"),
    missing: told("unsupported"),
    memory: told("transient"),
    stalled: told("transient"),
    crashed: told("transient"),
    cancelled: told("cancelled"),
    closed: told("transient"),
    busy: { ...told("rate_limit"), retryAfterMs: 2000 },
    failed: told("transient"),
  });
});

test("a failure keeps its field, and what it cannot do is not what is wrong", () => {
  assert.deepEqual(refusalOf(new Failure("invalid_request", { says: "No.", param: "size" }), live), {
    class: "invalid",
    says: "No.",
    param: "size",
  });
  assert.equal(refusalOf(new Failure("not_supported"), live).class, "unsupported");
  assert.equal(refusalOf(new Failure("input_unreachable", { cause: "404" }), live).cause, "404");
  assert.deepEqual(refusalOf(new TypeError("x is not a function"), live), { class: "transient", cause: "TypeError: x is not a function" });
});

test("whatever happens to work that nobody waits for is a cancel", () => {
  assert.deepEqual(refusalOf(new EngineError("crashed", "It is so."), AbortSignal.abort()), { class: "cancelled" });
});

test("a call is told which package is missing, and a crowd to come back soon", async (t) => {
  const says = "The package 'node-llama-cpp' is not installed: install it with npm install node-llama-cpp.";
  const shop = await openShop(t, {
    text: () => Promise.reject(new EngineError("missing", says, new Error("MODULE_NOT_FOUND"))),
    embedding: () => Promise.reject(new EngineError("busy", "Too many jobs wait for this generator.")),
  });
  assert.deepEqual(refusalIn(await shop.ask(callOf("completion", { prompt: "x" }))), {
    class: "unsupported",
    says,
    cause: "Error: MODULE_NOT_FOUND",
  });
  const busy = refusalIn(await shop.ask(callOf("embedding", { input: "x" })));
  assert.deepEqual([busy.class, busy.retryAfterMs], ["rate_limit", 2000]);
  const cancelled = await shop.ask(callOf("embedding", { input: "x" }), workOf({ signal: AbortSignal.abort() }));
  assert.deepEqual(refusalIn(cancelled), { class: "cancelled" });
  assert.deepEqual(await shop.left(), []);
});
