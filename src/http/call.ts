import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../core/accounts.ts";
import { refusalOf, failureOf, type StreamedReply } from "../core/call-answer.ts";
import type { OpenCall } from "../core/calls.ts";
import { Failure } from "../core/errors.ts";
import type { Asked, Meter, Whole } from "../core/meter.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Amounts, Measured } from "../core/pricing.ts";
import { showReply } from "../dialects/meters/reply-cost.ts";
import { costText } from "../dialects/meters/spelled-use.ts";
import { errorEvent } from "./call-errors.ts";
import { beat } from "./heartbeat.ts";
import type { CallPlace } from "./limits.ts";
import type { KeptReply, Turn } from "./reply-shelf.ts";
import { showNotes } from "./routes.ts";
import type { Services } from "./services.ts";

export type CallAsk = { caller: Caller; request: FastifyRequest; reply: FastifyReply; asked: Asked; meter: Meter };

/** Changes a whole reply before it is paid for, e.g. stores the pictures in it. */
export type Finish = (whole: Whole, provider: string) => Promise<Whole>;

/** Answers a call: finds who can, passes the reply on as it comes, and pays for it before its last byte. */
export async function answer(ask: CallAsk, services: Services, finish?: Finish): Promise<unknown> {
  const turn = takeTurn(ask, services);
  if (turn === null) return answerAnew(ask, services, finish);
  const taken = await turn;
  if (!taken.first) return giveAgain(ask, taken.reply);
  try {
    await answerAnew(ask, services, finish, taken.keep);
  } finally {
    // A stream, or a call that failed, is not kept.
    taken.keep(null);
  }
  return ask.reply;
}

/** The turn of a request that may have been answered before; null for one that stands for itself. */
function takeTurn({ caller, request, asked }: CallAsk, { shelf }: Services): Promise<Turn> | null {
  const key = request.headers["idempotency-key"];
  if (typeof key === "string") return shelf.byKey(caller, asked, key.trim().replace(/^"(.*)"$/, "$1"), request.routeOptions.url ?? "");
  return shelf.byContent(caller, asked);
}

function giveAgain({ request, reply }: CallAsk, { mime, body, provider }: KeptReply): FastifyReply {
  showNotes(request, reply);
  if (request.headers["idempotency-key"] === undefined) reply.header("x-genway-cache", "hit");
  else reply.header("idempotent-replayed", "true");
  return reply.header("x-genway-provider", provider).header("x-genway-attempts", "0").header("x-genway-cost", "0").type(mime).send(body);
}

type Keep = (reply: KeptReply) => void;

async function answerAnew(
  { caller, request, reply, asked, meter }: CallAsk,
  services: Services,
  finish?: Finish,
  keep?: Keep,
): Promise<unknown> {
  const place = services.limits.enter(caller, request.limitNotes);
  const left = leaving(reply, services);
  try {
    const open = await services.calls.open(caller, asked, meter, left.signal);
    request.limitNotes.push("x-genway-provider", open.provider, "x-genway-attempts", String(open.attempts));
    const { reply: given } = open;
    if (given.state === "stream") return await pass({ open, given, request, reply, asked, place, signal: left.signal }, services);
    const whole = finish === undefined ? given : await finishing(open, given, finish);
    return await give({ open, whole, request, reply, asked, meter, place, ...(keep && { keep }) });
  } finally {
    place.leave();
    left.over();
  }
}

/** Fires when the client has gone, or when the call has taken too long. */
function leaving(reply: FastifyReply, { settings, underWay }: Services): { signal: AbortSignal; over(): void } {
  const controller = new AbortController();
  underWay.begin(controller);
  const gone = () => controller.abort();
  const timer = setTimeout(() => controller.abort(new Failure("upstream_timeout")), settings().callDeadlineMs);
  if (reply.raw.destroyed) gone();
  reply.raw.once("close", gone);
  return {
    signal: controller.signal,
    over() {
      underWay.end(controller);
      clearTimeout(timer);
      reply.raw.removeListener("close", gone);
    },
  };
}

async function finishing(open: OpenCall, given: Whole, finish: Finish): Promise<Whole> {
  try {
    return await finish(given, open.provider);
  } catch (error) {
    open.release();
    throw error;
  }
}

type Giving = {
  open: OpenCall;
  whole: Whole;
  request: FastifyRequest;
  reply: FastifyReply;
  asked: Asked;
  meter: Meter;
  place: CallPlace;
  keep?: Keep;
};

async function give({ open, whole, request, reply, asked, meter, place, keep }: Giving): Promise<unknown> {
  const measured = await measure(open, meter.told(asked, whole), () => meter.counted(asked, whole));
  const cost = usdFromNanos(await open.settle(measured));
  place.used(tokensOf(measured));
  const alias = open.upstreamModel === asked.model ? null : asked.model;
  const { body, mime } = showReply(asked.operation, whole, measured, cost, alias);
  keep?.({ body, mime, provider: open.provider });
  // Past the framework, which has nothing left to do: this is the busiest line of the service.
  const raw = reply.hijack().raw;
  if (raw.destroyed) return reply;
  const headers = headersOf(request, reply);
  headers.push("content-type", mime, "content-length", String(body.byteLength), "x-genway-cost", costText(cost));
  raw.writeHead(200, headers).end(body);
  return reply;
}

type Passing = {
  open: OpenCall;
  given: StreamedReply;
  request: FastifyRequest;
  reply: FastifyReply;
  asked: Asked;
  place: CallPlace;
  signal: AbortSignal;
};

async function pass({ open, given, request, reply, asked, place, signal }: Passing, { log }: Services): Promise<FastifyReply> {
  const raw = reply.hijack().raw;
  const events = given.mime === "text/event-stream";
  const headers = headersOf(request, reply);
  headers.push(...(events ? eventHeaders : ["content-type", given.mime]));
  raw.writeHead(200, headers);
  const pulse = events ? beat(raw) : null;
  let failure: Failure | null = null;
  try {
    for await (const piece of given.pieces) {
      pulse?.moved();
      if (!raw.write(piece)) await drained(raw, signal);
      if (raw.destroyed || signal.aborted) throw new Error("nobody reads the reply");
    }
  } catch (error) {
    const refusal = refusalOf(error);
    failure = signal.reason instanceof Failure ? signal.reason : failureOf(refusal);
    if (!raw.destroyed && !signal.aborted) open.broke(refusal.class);
    if (!raw.destroyed) log.warn({ provider: open.provider, cause: failure.cause }, "a reply broke off");
  }
  pulse?.stop();
  try {
    const { costUsd, measured } = await pay({ open, given, place, failure, events, left: raw.destroyed });
    if (failure === null) raw.end(given.meter.last(costUsd, measured));
    else breakOff(raw, events ? errorEvent(asked.operation, failure) : null);
  } catch (error) {
    log.error({ err: error }, "a reply could not be charged");
    breakOff(raw, events ? errorEvent(asked.operation, error instanceof Failure ? error : new Failure("internal")) : null);
  }
  return reply;
}

/** What was set so far, as it goes on the wire. */
function headersOf({ limitNotes }: FastifyRequest, reply: FastifyReply): string[] {
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) limitNotes.push(name, String(value));
  return limitNotes;
}

const eventHeaders = ["content-type", "text/event-stream; charset=utf-8", "cache-control", "no-store", "x-accel-buffering", "no"];

type Paying = { open: OpenCall; given: StreamedReply; place: CallPlace; failure: Failure | null; events: boolean; left: boolean };

/** Pays for what was delivered; a medium that the upstream broke off is free. */
async function pay({ open, given, place, failure, events, left }: Paying): Promise<{ costUsd: number; measured: Measured }> {
  if (failure !== null && !events && !left) {
    open.release();
    return { costUsd: 0, measured: { estimated: false } };
  }
  const measured = await measure(open, given.meter.told(), () => given.meter.counted());
  const costUsd = usdFromNanos(await open.settle(measured));
  place.used(tokensOf(measured));
  return { costUsd, measured };
}

/** What was used: as told, else counted by us. */
async function measure(open: OpenCall, told: Amounts | null, count: () => Promise<Amounts>): Promise<Measured> {
  if (told !== null) return { ...told, estimated: false };
  try {
    return { ...(await count()), estimated: true };
  } catch (error) {
    open.release();
    throw error;
  }
}

function breakOff(raw: FastifyReply["raw"], event: string | null): void {
  if (raw.destroyed) return;
  if (event === null) raw.destroy();
  else raw.end(event);
}

function drained(raw: FastifyReply["raw"], signal: AbortSignal): Promise<void> {
  if (raw.destroyed || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      raw.removeListener("drain", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    raw.once("drain", done);
    signal.addEventListener("abort", done);
  });
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: Measured): number {
  return inputTokens + outputTokens;
}
