import assert from "node:assert/strict";
import { test } from "node:test";
import { createBreaker } from "./breaker.ts";
import { answerCall } from "./call-answer.ts";
import { createCallGate } from "./call-gate.ts";
import type { CallRoute } from "./call-route.ts";
import { BrokenReply, type Answer, type AnswerCall } from "./call.ts";
import { Failure } from "./errors.ts";
import type { Asked, Meter, StreamMeter } from "./meter.ts";
import type { FailureClass } from "./refusal.ts";
import type { Installed } from "./routing.ts";
import { createTally } from "./tally.ts";

const asked: Asked = { operation: "chat", model: "m", body: {}, raw: null, extras: null, files: [], stream: true, headers: {} };

const passing: StreamMeter = {
  pass: (piece) => piece,
  flush: () => null,
  isWhole: () => true,
  told: () => null,
  counted: () => Promise.resolve({}),
  last: () => new Uint8Array(),
};
const meter = { stream: () => passing } as unknown as Meter;

type Limits = { concurrent: number | null; perMinute: number | null };
const unlimited: Limits = { concurrent: null, perMinute: null };

function route(
  name: string,
  answer: AnswerCall,
  { keys = ["k"], limits = unlimited }: { keys?: string[]; limits?: Limits } = {},
): CallRoute {
  const credentials = keys.map((id) => ({ id, secret: id }));
  return { installed: { name, credentials, callLimits: limits } as unknown as Installed, answer, model: "m" };
}

function refusing(why: FailureClass, retryAfterMs?: number): AnswerCall {
  const refusal = { class: why, cause: `${why} here`, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return () => Promise.resolve({ state: "refused", refusal });
}

const good: Answer = { state: "whole", mime: "application/json", body: Buffer.from("{}"), value: {} };
const answering: AnswerCall = () => Promise.resolve(good);

function house() {
  let now = 1_000_000;
  const clock = () => now;
  const needs = {
    breaker: createBreaker(clock),
    gate: createCallGate(createTally(clock)),
    clock,
    random: () => 0,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    observeRefusal: () => undefined,
    patience: () => ({ deadlineMs: 60_000, silenceMs: 1_000 }),
  };
  const ask = (routes: CallRoute[], signal = new AbortController().signal) => answerCall(needs, routes, asked, meter, signal);
  return { needs, ask, pass: (ms: number) => void (now += ms) };
}

const codeOf = (code: string) => (error: unknown) => error instanceof Failure && error.code === code;

test("the next route is asked for what may be better there, and none for what is wrong everywhere", async () => {
  for (const why of ["auth", "quota", "rate_limit", "not_found", "transient", "timeout", "unsupported"] as const) {
    const answered = await house().ask([route("a", refusing(why)), route("b", answering)]);
    assert.equal(answered.provider, "b", why);
    assert.equal(answered.attempts, 2);
  }
  for (const why of ["invalid", "content_policy", "input_unreachable"] as const) {
    await assert.rejects(
      house().ask([route("a", refusing(why)), route("b", answering)]),
      (error) => error instanceof Failure && error.status === 400,
    );
  }
});

test("each class of refusal has its error, the cause for the log, and the wait for the client", async () => {
  const codes: [FailureClass, string][] = [
    ["auth", "upstream_unavailable"],
    ["quota", "upstream_unavailable"],
    ["not_found", "upstream_unavailable"],
    ["timeout", "upstream_timeout"],
    ["unsupported", "not_supported"],
    ["invalid", "invalid_request"],
  ];
  for (const [why, code] of codes) await assert.rejects(house().ask([route("a", refusing(why))]), codeOf(code));
  await assert.rejects(
    house().ask([route("a", refusing("rate_limit", 30_000))]),
    (error) =>
      error instanceof Failure && error.retryAfterMs === 30_000 && error.cause === "rate_limit here" && !error.message.includes("here"),
  );
});

test("what may pass is tried once more, and never more than six times in all", async () => {
  let asks = 0;
  const counting: AnswerCall = () => {
    asks++;
    return Promise.resolve({ state: "refused", refusal: { class: "transient", cause: "no", retryAfterMs: 0 } });
  };
  await assert.rejects(house().ask([route("a", counting)]), codeOf("upstream_error"));
  assert.equal(asks, 2);
  asks = 0;
  await assert.rejects(house().ask([route("a", counting, { keys: ["1", "2", "3", "4"] })]), codeOf("upstream_error"));
  assert.equal(asks, 6);
});

test("a stream that breaks before anything can be shown is asked for elsewhere, and its place is free again", async () => {
  const { ask, needs } = house();
  const limits = { concurrent: 1, perMinute: null };
  async function* nothing(): AsyncGenerator<Uint8Array> {
    yield* [];
    throw new BrokenReply({ class: "transient", cause: "cut" });
  }
  const broken: AnswerCall = () => Promise.resolve({ state: "stream", mime: "text/event-stream", pieces: nothing() });
  assert.equal((await ask([route("a", broken, { limits }), route("b", answering)])).provider, "b");
  assert.equal(needs.gate.enter("a/k", limits), true);
});

test("a place at a provider is held until the stream is over, also when it is left in the middle", async () => {
  const { ask, needs } = house();
  const limits = { concurrent: 1, perMinute: null };
  async function* words(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.from("word");
  }
  const streaming: AnswerCall = () => Promise.resolve({ state: "stream", mime: "text/event-stream", pieces: words() });
  const { reply } = await ask([route("a", streaming, { limits })]);
  assert.equal(needs.gate.enter("a/k", limits), false);
  assert.equal(reply.state, "stream");
  if (reply.state === "stream") for await (const piece of reply.pieces) if (piece.length > 0) break;
  assert.equal(needs.gate.enter("a/k", limits), true);
});

/** Asks until the only place rests. */
async function tired({ ask, needs }: ReturnType<typeof house>): Promise<void> {
  for (let n = 0; n < 3; n++) await assert.rejects(ask([route("a", refusing("transient", 0))]), Failure);
  assert.equal(needs.breaker.resting().length, 1);
}

test("a place that rested is probed again after there was no room for the probe", async () => {
  const our = house();
  const limits = { concurrent: 1, perMinute: null };
  await tired(our);
  our.pass(10_000);
  our.needs.gate.enter("a/k", limits);
  await assert.rejects(our.ask([route("a", answering, { limits })]), codeOf("upstream_unavailable"));
  our.needs.gate.leave("a/k");
  assert.equal((await our.ask([route("a", answering, { limits })])).provider, "a");
});

test("a place that rested is probed again after a probe that threw", async () => {
  const our = house();
  await tired(our);
  our.pass(10_000);
  const throwing: AnswerCall = () => Promise.reject(new TypeError("a bug of ours"));
  await assert.rejects(our.ask([route("a", throwing)]), TypeError);
  assert.equal((await our.ask([route("a", answering)])).provider, "a");
});

test("a client that has gone is asked for by nobody, and blamed on no provider", async () => {
  const our = house();
  const leaving = new AbortController();
  let asks = 0;
  const left: AnswerCall = () => {
    asks++;
    leaving.abort();
    return Promise.resolve({ state: "refused", refusal: { class: "transient", cause: "stopped" } });
  };
  await assert.rejects(our.ask([route("a", left), route("b", left)], leaving.signal), codeOf("cancelled"));
  assert.equal(asks, 1);
  assert.deepEqual(our.needs.breaker.resting(), []);
});
