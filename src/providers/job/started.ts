import type { Started } from "../../core/provider.ts";
import { classify, describe, readError, refuse } from "./failure.ts";
import { holds, isPresent, readFirst, readText } from "./path.ts";
import type { Path, Paths } from "./path.ts";
import type { JobSpec } from "./spec.ts";
import { readRetryAfter } from "../upstream/retry-after.ts";
import type { Answered, UpstreamReply } from "../upstream/reply.ts";

/** What a reply to a start means: only a definite no is "refused"; whatever may have started a job is "unknown". */
export function readStart(spec: JobSpec, reply: UpstreamReply, constants: Readonly<Record<string, string>> = {}): Started {
  if (reply.state !== "answered") return readSilence(reply);
  return readRefused(spec, reply) ?? readAccepted(spec, reply, constants);
}

/** What it means that no whole reply came. */
export function readSilence({ state, cause }: Exclude<UpstreamReply, Answered>): Started {
  return state === "not-sent" ? { state: "refused", refusal: refuse("transient", cause) } : { state: "unknown", cause };
}

/** What a reply that is not a yes means; null for a yes. */
export function readRefused({ accepted, errors }: JobSpec, reply: Answered): Started | null {
  const { status, headers, body, secrets } = reply;
  const cause = describe(errors, body, secrets, reply);
  if (status >= 200 && status < 300) {
    if (holds(body, accepted?.ok, status)) return null;
    // An envelope that names an error is a no; anything else under a 2xx may be a yes that was garbled.
    if (readError(errors, body).code === undefined) return { state: "unknown", cause };
    return { state: "refused", refusal: refuse(classify(errors, body) ?? "transient", cause, readRetryAfter(headers, body)) };
  }
  const retryAfterMs = readRetryAfter(headers, body);
  if (!isDefinite(errors, status, body, retryAfterMs)) return { state: "unknown", cause };
  return { state: "refused", refusal: refuse(classify(errors, body, status) ?? "transient", cause, retryAfterMs) };
}

function readAccepted({ accepted, errors }: JobSpec, reply: Answered, constants: Readonly<Record<string, string>>): Started {
  const { body, secrets } = reply;
  const found = accepted && readAccess(body, accepted, constants);
  return found ?? { state: "unknown", cause: `no job id in ${describe(errors, body, secrets, reply)}` };
}

/** The job that a reply names, with what its polls need; null where it names none. */
export function readAccess(
  body: unknown,
  { id, keep = {} }: { id: Paths; keep?: Record<string, Path> },
  constants: Readonly<Record<string, string>> = {},
): Extract<Started, { state: "accepted" }> | null {
  const upstreamId = readIds(body, id);
  if (upstreamId === undefined || upstreamId.length > maxIdLength) return null;
  const read = Object.entries(keep).flatMap(([name, path]) => {
    const value = readText(body, path);
    return value === undefined ? [] : [[name, value] as const];
  });
  const kept = { ...constants, ...Object.fromEntries(read) };
  return { state: "accepted", upstreamId, ...(Object.keys(kept).length > 0 && { keep: kept }) };
}

// Of a list under a plain path nothing is an id: only "[*]" asks for several.
function readIds(body: unknown, paths: Paths): string | undefined {
  const several = [paths].flat().some((path) => path.includes("[*]"));
  const found = several ? readFirst(body, paths) : readText(body, paths);
  const ids: readonly unknown[] = [found].flat().filter(isPresent);
  const isSound = ids.length > 0 && ids.every((one) => typeof one === "string" || typeof one === "number");
  return isSound ? ids.join(",") : undefined;
}

function isDefinite(errors: JobSpec["errors"], status: number, body: unknown, retryAfterMs: number | undefined): boolean {
  const { code } = readError(errors, body);
  if (code !== undefined && errors.definite?.includes(code)) return true;
  if (status === 503) return retryAfterMs !== undefined;
  return status >= 400 && status < 500 && !unclear.has(status);
}

// Timed out, in conflict, too early: the job may exist.
const unclear: ReadonlySet<number> = new Set([408, 409, 425]);

const maxIdLength = 512;
