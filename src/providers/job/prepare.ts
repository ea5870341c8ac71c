import type { Work } from "../../core/provider.ts";
import type { MediaKind } from "../../core/kinds.ts";
import type { Refusal } from "../../core/refusal.ts";
import type { UpstreamReply } from "../upstream/reply.ts";
import { readRetryAfter } from "../upstream/retry-after.ts";
import type { Engine, Given } from "./engine.ts";
import { classify, describe, refuse } from "./failure.ts";
import type { Files } from "./file-change.ts";
import { holds, isPresent, readFirst } from "./path.ts";
import { buildRequest } from "./request.ts";
import type { JobSpec, Prepare, StartOf } from "./spec.ts";

type Step = { [K in MediaKind]: Prepare<K> }[MediaKind];
type Steps = { [K in MediaKind]: NonNullable<StartOf<K>["prepare"]> }[MediaKind];

/** Makes the requests before a start; what they did not get is a definite no, since no job was asked for yet. */
export async function prepare(
  engine: Engine,
  steps: Steps,
  bare: Given,
  files: Files,
  work: Work,
): Promise<{ given: Given } | { refusal: Refusal }> {
  let given = bare;
  for (const [name, step] of Object.entries<Step>(steps)) {
    if (!holds(given, step.when)) continue;
    const body = await buildRequest(step, given, files);
    const taken = take(engine.spec, step, await engine.call.start({ send: step.send, values: given, body }, work));
    if ("refusal" in taken) return taken;
    given = { ...given, prepared: { ...given.prepared, [name]: taken.value } };
  }
  return { given };
}

function take({ errors }: JobSpec, step: Step, reply: UpstreamReply): { value: unknown } | { refusal: Refusal } {
  if (reply.state !== "answered") return { refusal: refuse("transient", reply.cause) };
  const { status, headers, body, secrets } = reply;
  const value = readFirst(body, step.take);
  const isYes = status >= 200 && status < 300 && holds(body, step.ok, status);
  if (isYes && isPresent(value)) return { value };
  const failure = classify(errors, body, isYes ? undefined : status) ?? "transient";
  return { refusal: refuse(failure, describe(errors, body, secrets, reply), readRetryAfter(headers, body)) };
}
