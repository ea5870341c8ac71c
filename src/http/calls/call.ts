import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../core/accounts.ts";
import type { OpenCall } from "../../core/calls.ts";
import { Failure } from "../../core/errors.ts";
import type { Asked, Meter, Whole } from "../../core/meter.ts";
import { give, pass } from "./call-reply.ts";
import type { Keep, KeptReply, Turn } from "./reply-memory.ts";
import { showNotes } from "../routes.ts";
import type { Services } from "../services.ts";

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
    await taken.keep(null);
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

async function answerAnew(
  { caller, request, reply, asked, meter }: CallAsk,
  services: Services,
  finish?: Finish,
  keep?: Keep,
): Promise<unknown> {
  const entered = services.limits.enter(caller, request.notes);
  const place = entered instanceof Promise ? await entered : entered;
  const left = leaving(reply, services);
  try {
    const open = await services.calls.open(caller, asked, meter, left.signal);
    request.notes.push("x-genway-provider", open.provider, "x-genway-attempts", String(open.attempts));
    const { reply: given } = open;
    const parts = { open, request, reply, asked, place, ...(keep && { keep }) };
    if (given.state === "stream") return await pass({ ...parts, given, signal: left.signal }, services);
    const whole = finish === undefined ? given : await finishing(open, given, finish);
    return await give({ ...parts, whole, meter });
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
