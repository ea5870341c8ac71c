import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { test } from "node:test";
import type { Caller } from "../../src/core/accounts.ts";
import type { OpenCall } from "../../src/core/calls.ts";
import type { Asked, Meter, StreamMeter } from "../../src/core/meter.ts";
import { answer } from "../../src/http/calls/call.ts";
import type { Services } from "../../src/http/services.ts";

const asked: Asked = { operation: "chat", model: "m", body: {}, raw: null, extras: null, files: [], stream: true, headers: {} };
const caller = {} as Caller;
const request = { notes: [], headers: {}, routeOptions: {} } as unknown as FastifyRequest;

const notCounting = () => Promise.reject(new Error("the counter is gone"));
const streamMeter: StreamMeter = {
  pass: (piece) => piece,
  flush: () => null,
  isWhole: () => true,
  told: () => null,
  counted: notCounting,
  last: () => new Uint8Array(),
};
const meter = { told: () => null, counted: notCounting, stream: () => streamMeter } as unknown as Meter;

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("data: {}\n\n");
}

/** A reply without a socket. */
function replyOf(more: object = {}) {
  const raw = Object.assign(new EventEmitter(), {
    destroyed: false,
    setHeader: () => undefined,
    writeHead: () => undefined,
    write: () => true,
    end: () => undefined,
    destroy: () => undefined,
    ...more,
  });
  const reply = { raw, header: () => reply, type: () => reply, send: () => reply, hijack: () => reply, getHeaders: () => ({}) };
  return reply as unknown as FastifyReply;
}

/** Services that only know calls; tells what became of the one that was opened. */
function servicesOf(given: OpenCall["reply"]) {
  const seen = { opened: 0, aborted: false, settled: 0, released: 0, left: 0 };
  const open: OpenCall = {
    provider: "p",
    upstreamModel: "m",
    attempts: 1,
    reply: given,
    settle: () => Promise.resolve(++seen.settled),
    release: () => void seen.released++,
    broke: () => undefined,
  };
  const services = {
    limits: { enter: () => ({ used: () => undefined, leave: () => void seen.left++ }) },
    calls: {
      open: (_caller: Caller, _asked: Asked, _meter: Meter, signal: AbortSignal) => {
        seen.opened++;
        seen.aborted = signal.aborted;
        return Promise.resolve(open);
      },
    },
    underWay: { begin: () => undefined, end: () => undefined },
    shelf: { byKey: () => null, byContent: () => null },
    settings: () => ({ callDeadlineMs: 60_000 }),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  } as unknown as Services;
  return { seen, services };
}

test("what was set aside for a whole reply is given back when its use cannot be counted", async () => {
  const { seen, services } = servicesOf({ state: "whole", mime: "application/json", body: Buffer.from("{}"), value: {} });
  await answer({ caller, request, reply: replyOf(), asked, meter }, services).catch(() => undefined);
  assert.deepEqual([seen.settled + seen.released, seen.left], [1, 1]);
});

test("what was set aside for a stream is given back when its use cannot be counted", async () => {
  const { seen, services } = servicesOf({ state: "stream", mime: "text/event-stream", pieces: pieces(), meter: streamMeter });
  await answer({ caller, request, reply: replyOf(), asked, meter }, services).catch(() => undefined);
  assert.deepEqual([seen.settled + seen.released, seen.left], [1, 1]);
});

test("a client that had gone before its call began is seen to have gone", async () => {
  const { seen, services } = servicesOf({ state: "stream", mime: "text/event-stream", pieces: pieces(), meter: streamMeter });
  await answer({ caller, request, reply: replyOf({ destroyed: true, closed: true }), asked, meter }, services).catch(() => undefined);
  assert.ok(seen.opened === 0 || seen.aborted, "an upstream would have been asked for nobody");
});
