import type { Started } from "../../core/provider.ts";
import { classify, describe, readError, refuse } from "./failure.ts";
import { holds, readText } from "./path.ts";
import type { JobSpec } from "./spec.ts";
import { readRetryAfter } from "../upstream/retry-after.ts";
import type { UpstreamReply } from "../upstream/reply.ts";

/** What a reply to a start means: only a definite no is "refused"; whatever may have started a job is "unknown". */
export function readStart(spec: JobSpec, reply: UpstreamReply, secret: string): Started {
  if (reply.state === "not-sent") return { state: "refused", refusal: refuse("transient", reply.cause) };
  if (reply.state === "lost") return { state: "unknown", cause: reply.cause };
  const { status, headers, body } = reply;
  const cause = describe(spec.errors, body, secret, reply);
  if (status >= 200 && status < 300) return readAccepted(spec, body, cause);
  const retryAfterMs = readRetryAfter(headers, body);
  if (!isDefinite(spec, status, body, retryAfterMs)) return { state: "unknown", cause };
  return { state: "refused", refusal: refuse(classify(spec.errors, body, status) ?? "transient", cause, retryAfterMs) };
}

function readAccepted({ accepted, errors }: JobSpec, body: unknown, cause: string): Started {
  if (!holds(body, accepted.ok)) {
    // An envelope that names an error is a no; anything else under a 2xx may be a yes that was garbled.
    if (readError(errors, body).code === undefined) return { state: "unknown", cause };
    return { state: "refused", refusal: refuse(classify(errors, body) ?? "transient", cause) };
  }
  const upstreamId = readText(body, accepted.id);
  if (upstreamId === undefined || upstreamId.length > maxIdLength) return { state: "unknown", cause: `no job id in ${cause}` };
  const keep = Object.entries(accepted.keep ?? {}).flatMap(([name, path]) => {
    const value = readText(body, path);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { state: "accepted", upstreamId, ...(keep.length > 0 && { keep: Object.fromEntries(keep) }) };
}

function isDefinite({ errors }: JobSpec, status: number, body: unknown, retryAfterMs: number | undefined): boolean {
  const { code } = readError(errors, body);
  if (code !== undefined && errors.definite?.includes(code)) return true;
  if (status === 503) return retryAfterMs !== undefined;
  return status >= 400 && status < 500 && !unclear.has(status);
}

// Timed out, in conflict, too early: the job may exist.
const unclear: ReadonlySet<number> = new Set([408, 409, 425]);

const maxIdLength = 512;
