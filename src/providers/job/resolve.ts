import type { Polled, Work } from "../../core/provider.ts";
import type { FailureClass } from "../../core/refusal.ts";
import { readRetryAfter } from "../upstream/retry-after.ts";
import type { UpstreamReply } from "../upstream/reply.ts";
import type { Engine, Places } from "./engine.ts";
import { classify, describe, readError, refuse } from "./failure.ts";
import { holds } from "./path.ts";
import type { JobSpec, Resolve } from "./spec.ts";
import { trouble } from "./trouble.ts";

/** Asks the further questions about a finished job; its record then holds each answer under the question's name. */
export async function resolve(engine: Engine, places: Places, record: unknown, work: Work): Promise<{ record: unknown } | Polled> {
  let whole = record;
  for (const step of engine.spec.resolve ?? []) {
    const ask = { send: step.send, values: { ...places, record: whole }, isLarge: engine.largeKinds.size > 0 };
    const answer = readStep(engine.spec, step, await engine.call.poll(ask, work));
    if (!("body" in answer)) return answer;
    whole = Object.assign(Array.isArray(whole) ? Array.from(whole) : { ...Object(whole) }, { [step.name]: answer.body });
  }
  return { record: whole };
}

function readStep({ errors }: JobSpec, step: Resolve, reply: UpstreamReply): { body: unknown } | Polled {
  if (reply.state !== "answered") return trouble(reply.cause);
  const { status, headers, body, secrets } = reply;
  const isYes = status >= 200 && status < 300;
  if (isYes && typeof body === "object" && body !== null && holds(body, step.ok, status)) return { body };
  const cause = describe(errors, body, secrets, reply);
  const failure = classify(errors, body, isYes ? undefined : status) ?? "transient";
  if (!isNo(errors, reply.status, body, failure)) return trouble(cause, readRetryAfter(headers, body));
  return step.refused === "wait" ? { state: "running" } : { state: "failed", refusal: refuse(failure, cause) };
}

// What says something of the question and not of the job: our key, our pace, the upstream's health.
const aboutUs: ReadonlySet<FailureClass> = new Set(["auth", "quota", "rate_limit"]);
const unclear: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);

function isNo(errors: JobSpec["errors"], status: number, body: unknown, failure: FailureClass): boolean {
  const { code } = readError(errors, body);
  if (code !== undefined && errors.definite?.includes(code)) return true;
  if (status >= 200 && status < 300) return typeof body === "object" && body !== null;
  return status >= 400 && status < 500 && !unclear.has(status) && !aboutUs.has(failure);
}
