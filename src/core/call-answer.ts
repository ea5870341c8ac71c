import { setTimeout } from "node:timers/promises";
import { placeOf, type Breaker } from "./breaker.ts";
import { BrokenReply, kindOfOperation, type Answer } from "./call.ts";
import { doorOf, type CallGate } from "./call-gate.ts";
import type { CallRoute } from "./call-route.ts";
import { errorTable, Failure, type ErrorCode } from "./errors.ts";
import type { Asked, Meter, StreamMeter, Whole } from "./meter.ts";
import type { Clock, Log } from "./ports.ts";
import type { Credential, FailureClass, Refusal } from "./refusal.ts";
import { RoutedCall } from "./routed-call.ts";

export type AnswerNeeds = {
  breaker: Breaker;
  gate: CallGate;
  clock: Clock;
  random: () => number;
  log: Log;
  observeRefusal(provider: string, why: FailureClass): void;
  patience: () => { deadlineMs: number; silenceMs: number };
};

/** A reply that has begun, who gives it, and how many tries that took. */
export type Answered = {
  provider: string;
  /** The name of the model there. */
  upstreamModel: string;
  attempts: number;
  reply: Whole | StreamedReply;
  /** Tells that a reply which had begun broke off. */
  broke(why: FailureClass): void;
};

/** `pieces` are what the client may read; the first one is there already. */
export type StreamedReply = { state: "stream"; mime: string; pieces: AsyncGenerator<Uint8Array>; meter: StreamMeter };

const mostAttempts = 6;
const longestWaitMs = 5_000;

/** Asks one route after the other until one begins to answer; throws the Failure to tell when none does. */
export async function answerCall(
  needs: AnswerNeeds,
  routes: readonly CallRoute[],
  asked: Asked,
  meter: Meter,
  signal: AbortSignal,
): Promise<Answered> {
  const { clock, random, patience, log } = needs;
  const { deadlineMs, silenceMs } = patience();
  const giveUpAt = clock() + deadlineMs;
  let last: Refusal | null = null;
  let attempts = 0;
  for (let round = 0; ; round++) {
    let wait = Number.POSITIVE_INFINITY;
    for (const { route, credential, place } of placesOf(needs, routes, kindOfOperation[asked.operation])) {
      if (attempts >= mostAttempts) break;
      if (!needs.breaker.begin(place)) continue;
      const leave = enter(needs, route, credential);
      if (leave === null) {
        needs.breaker.failed(place, "cancelled");
        continue;
      }
      attempts++;
      const answer = await attempt(route, credential, asked, meter, { signal, silenceMs }, leave).catch((error: unknown) => {
        // Nothing was learned of the place.
        needs.breaker.failed(place, "cancelled");
        throw error;
      });
      if (answer.state !== "refused") {
        needs.breaker.succeeded(place);
        return {
          provider: route.installed.name,
          upstreamModel: route.model,
          attempts,
          reply: answer,
          broke: (why) => needs.breaker.failed(place, why),
        };
      }
      const { refusal } = answer;
      if (signal.aborted) {
        needs.breaker.failed(place, "cancelled");
        throw gone(signal);
      }
      needs.breaker.failed(place, refusal.class, refusal.retryAfterMs);
      needs.observeRefusal(route.installed.name, refusal.class);
      log.warn({ provider: route.installed.name, model: route.model, class: refusal.class, cause: refusal.cause }, "a call was refused");
      last = refusal;
      if (isFinal(refusal.class)) throw failureOf(refusal);
      if (mayRepeat(refusal.class)) wait = Math.min(wait, refusal.retryAfterMs ?? 100 + 200 * random());
    }
    // Everything was tried once: what may pass is tried again soon, if soon is early enough.
    if (round >= 1 || attempts >= mostAttempts || wait > longestWaitMs || clock() + wait > giveUpAt) break;
    await setTimeout(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw gone(signal);
  }
  throw last === null ? new Failure("upstream_unavailable", { retryAfterMs: 1_000 }) : failureOf(last);
}

type Place = { route: CallRoute; credential: Credential; place: string };

/** Where to ask, in order: those who say they are full come last, those who are broken not at all. */
function placesOf({ breaker, random }: AnswerNeeds, routes: readonly CallRoute[], kind: string): Place[] {
  const open: Place[] = [];
  const full: Place[] = [];
  for (const route of routes) {
    for (const credential of turns(route.installed.credentials, random)) {
      const place = placeOf(route.installed.name, kind, route.model, credential.id);
      const admission = breaker.admits(place);
      if (admission === "open") open.push({ route, credential, place });
      else if (admission === "full") full.push({ route, credential, place });
    }
  }
  return full.length === 0 ? open : [...open, ...full];
}

function gone(signal: AbortSignal): Failure {
  return signal.reason instanceof Failure ? signal.reason : new Failure("cancelled", { says: "The client has gone." });
}

function enter({ gate }: AnswerNeeds, { installed }: CallRoute, { id }: Credential): (() => void) | null {
  const door = doorOf(installed.name, id);
  return gate.enter(door, installed.callLimits) ? () => gate.leave(door) : null;
}

/** Starts with any of the keys, so that they share the load, and goes through the others. */
function turns(credentials: readonly Credential[], random: () => number): readonly Credential[] {
  if (credentials.length < 2) return credentials;
  const first = Math.floor(random() * credentials.length);
  return [...credentials.slice(first), ...credentials.slice(0, first)];
}

type Patience = { signal: AbortSignal; silenceMs: number };

async function attempt(
  { answer, model }: CallRoute,
  credential: Credential,
  asked: Asked,
  meter: Meter,
  { signal, silenceMs }: Patience,
  leave: () => void,
): Promise<Whole | StreamedReply | Extract<Answer, { state: "refused" }>> {
  let reply: Answer;
  try {
    reply = await answer(new RoutedCall(asked, model), { signal, credential, patienceMs: silenceMs });
  } catch (error) {
    leave();
    throw error;
  }
  if (reply.state !== "stream") {
    leave();
    return reply;
  }
  const { mime } = reply;
  const streamMeter = meter.stream(asked, model === asked.model ? null : asked.model);
  const pieces = metered(reply.pieces, streamMeter, leave);
  try {
    const first = await pieces.next();
    return { state: "stream", mime, meter: streamMeter, pieces: first.done === true ? pieces : startingWith(first.value, pieces) };
  } catch (error) {
    return { state: "refused", refusal: refusalOf(error) };
  }
}

async function* metered(pieces: AsyncIterable<Uint8Array>, meter: StreamMeter, leave: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of pieces) {
      const out = meter.pass(piece);
      if (out !== null) yield out;
    }
    const rest = meter.flush();
    if (rest !== null) yield rest;
    if (!meter.isWhole()) throw new BrokenReply({ class: "transient", cause: "the stream ended before the reply was whole" });
  } finally {
    leave();
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** What a reply that broke off says about why. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof BrokenReply) return error.refusal;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return { class: code.includes("TIMEOUT") ? "timeout" : "transient", cause: error instanceof Error ? error.message : String(error) };
}

// What was asked is wrong, wherever it is asked.
function isFinal(why: FailureClass): boolean {
  return why === "invalid" || why === "content_policy" || why === "input_unreachable";
}

function mayRepeat(why: FailureClass): boolean {
  return why === "rate_limit" || why === "transient";
}

const codes: Record<FailureClass, ErrorCode> = {
  invalid: "invalid_request",
  auth: "upstream_unavailable",
  quota: "upstream_unavailable",
  rate_limit: "rate_limited",
  content_policy: "content_policy",
  input_unreachable: "input_unreachable",
  not_found: "upstream_unavailable",
  transient: "upstream_error",
  timeout: "upstream_timeout",
  unsupported: "not_supported",
  expired: "upstream_timeout",
  cancelled: "cancelled",
};

/** What the client is told when no route gave an answer. */
export function failureOf({ class: why, says, param, cause, retryAfterMs }: Refusal): Failure {
  const code = codes[why];
  return new Failure(code, {
    says: says ?? errorTable[code].sentence,
    cause,
    ...(param === undefined ? {} : { param }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
