import assert from "node:assert/strict";
import { test } from "node:test";
import { Dispatcher } from "undici";
import { exchange } from "./exchange.ts";

/** A client that hands its handler over, so that a test says what happens on the wire and when. */
class Wire extends Dispatcher {
  handler: Dispatcher.DispatchHandler = {};
  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.handler = handler;
    return true;
  }
}

const control = (aborted: string[]): Dispatcher.DispatchController => ({
  aborted: false,
  paused: false,
  reason: null,
  abort: (reason) => void aborted.push(reason.message),
  pause: () => {},
  resume: () => {},
});

const request = (signal: AbortSignal) => ({
  origin: "http://upstream.example",
  path: "/",
  method: "POST" as const,
  headers: {},
  body: null,
  maxBytes: 1_000,
  timeoutMs: 60_000,
  signal,
});

test("a request that was given up before its turn is never written", async () => {
  const wire = new Wire();
  const stop = new AbortController();
  const reply = exchange(wire, request(stop.signal));
  stop.abort();
  assert.equal((await reply).state, "not-sent");
  const aborted: string[] = [];
  wire.handler.onRequestStart?.(control(aborted), null);
  assert.equal(aborted.length, 1);
});

test("a request that the client would write a second time is ended, and its answer counts as lost", async () => {
  const wire = new Wire();
  const reply = exchange(wire, request(new AbortController().signal));
  const first: string[] = [];
  const second: string[] = [];
  wire.handler.onRequestStart?.(control(first), null);
  wire.handler.onRequestStart?.(control(second), null);
  assert.deepEqual([first.length, second.length], [0, 1]);
  wire.handler.onResponseError?.(control([]), new Error("the request is over"));
  assert.equal((await reply).state, "lost");
});

test("a client that throws sent nothing", async () => {
  const wire = new Wire();
  wire.dispatch = () => {
    throw new Error("invalid header");
  };
  assert.deepEqual(await exchange(wire, request(new AbortController().signal)), { state: "not-sent", cause: "invalid header" });
});
