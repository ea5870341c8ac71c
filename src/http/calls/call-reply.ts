import type { FastifyReply, FastifyRequest } from "fastify";
import { failureOf, refusalOf, type StreamedReply } from "../../core/call-answer.ts";
import type { OpenCall } from "../../core/calls.ts";
import { Failure } from "../../core/errors.ts";
import type { Asked, Meter, Whole } from "../../core/meter.ts";
import { usdFromNanos } from "../../core/money.ts";
import type { Amounts, Measured } from "../../core/pricing.ts";
import { showReply } from "../../dialects/meters/reply-cost.ts";
import { costText } from "../../dialects/meters/spelled-use.ts";
import { errorEvent } from "./call-errors.ts";
import { beat } from "./heartbeat.ts";
import type { CallPlace } from "../limits.ts";
import { copyPieces } from "./copied-pieces.ts";
import { mostStoredBytes } from "./named-replies.ts";
import type { Keep } from "./reply-memory.ts";
import type { Services } from "../services.ts";

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

/** Pays for a whole reply and gives it. */
export async function give({ open, whole, request, reply, asked, meter, place, keep }: Giving): Promise<unknown> {
  const measured = await measure(open, meter.told(asked, whole), () => meter.counted(asked, whole));
  const cost = usdFromNanos(await open.settle(measured));
  place.used(tokensOf(measured));
  const alias = open.upstreamModel === asked.model ? null : asked.model;
  const { body, mime } = showReply(asked.operation, whole, measured, cost, alias);
  const kept = keep?.({ body, mime, provider: open.provider });
  if (kept instanceof Promise) await kept;
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
  keep?: Keep;
};

/** Passes a streamed reply on as it comes, and pays for it before its last byte. */
export async function pass({ open, given, request, reply, asked, place, signal, keep }: Passing, { log }: Services): Promise<FastifyReply> {
  const raw = reply.hijack().raw;
  const events = given.mime === "text/event-stream";
  const headers = headersOf(request, reply);
  headers.push(...(events ? eventHeaders : ["content-type", given.mime]));
  raw.writeHead(200, headers);
  const pulse = events ? beat(raw) : null;
  const copy = keep === undefined || given.mime.startsWith("text/event-stream") ? null : copyPieces(mostStoredBytes);
  let failure: Failure | null = null;
  try {
    for await (const piece of given.pieces) {
      pulse?.moved();
      copy?.add(piece);
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
    const body = failure === null ? copy?.whole() : null;
    if (body) await keep?.({ body, mime: given.mime, provider: open.provider });
    if (failure === null) raw.end(given.meter.last(costUsd, measured));
    else breakOff(raw, events ? errorEvent(asked.operation, failure) : null);
  } catch (error) {
    log.error({ err: error }, "a reply could not be charged");
    breakOff(raw, events ? errorEvent(asked.operation, error instanceof Failure ? error : new Failure("internal")) : null);
  }
  return reply;
}

/** What was set so far, as it goes on the wire. */
function headersOf({ notes }: FastifyRequest, reply: FastifyReply): string[] {
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) notes.push(name, String(value));
  return notes;
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
