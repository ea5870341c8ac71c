import type { TaskKind } from "../../core/kinds.ts";
import type { Polled } from "../../core/provider.ts";
import type { FailureClass } from "../../core/refusal.ts";
import { classify, describe, refuse } from "./failure.ts";
import { holds, readFirst, readNumber, readPath, readText } from "./path.ts";
import { readOutput } from "./output.ts";
import type { Locate } from "./output.ts";
import type { JobSpec } from "./spec.ts";
import { readRetryAfter } from "../upstream/retry-after.ts";
import type { UpstreamReply } from "../upstream/reply.ts";

type Trouble = Extract<Polled, { state: "trouble" | "missing" }>;

/** What an upstream's records mean. */
export type PollReader = {
  /** The part of a reply that holds the record or records, or why there is none. */
  open(reply: UpstreamReply, at: string, secret: string): { found: unknown } | Trouble;
  record(kind: TaskKind, record: unknown, secret: string): Polled;
  /** The records of a list by the ids of their jobs. */
  index(list: unknown): Map<string, unknown>;
};

export function createPollReader(spec: JobSpec, locate: Locate): PollReader {
  const words = new Map(Object.entries(spec.status.words).map(([word, meaning]) => [word.toLowerCase(), meaning]));
  return {
    open: (reply, at, secret) => open(spec, reply, at, secret),
    record(kind, record, secret) {
      const word = readFirst(record, spec.status.at);
      const means = words.get(String(word).toLowerCase());
      // Anything but an unknown word is no answer at all: a job without a status, or a status that is an object.
      if (means === undefined && typeof word !== "string") return trouble("the record has no status");
      if (means === "queued" || means === "running" || means === undefined) return going(spec, means ?? "running", record);
      if (means === "missing") return { state: "missing" };
      if (means !== "done") return failed(spec, means, record, secret);
      const output = readOutput(spec.results, kind, record, locate);
      // Some upstreams say that a job is done a little before its links are there.
      return output === null ? going(spec, "running", record) : { state: "done", output };
    },
    index(list) {
      const records = Array.isArray(list) ? list : [];
      return new Map(records.map((record) => [readText(record, spec.poll.many?.id) ?? "", record]));
    },
  };
}

/** The question failed; the job goes on. */
export function trouble(cause: string, retryAfterMs?: number): Extract<Polled, { state: "trouble" }> {
  return { state: "trouble", cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function open({ poll, errors }: JobSpec, reply: UpstreamReply, at: string, secret: string): { found: unknown } | Trouble {
  if (reply.state !== "answered") return trouble(reply.cause);
  const { status, headers, body } = reply;
  if (status === 404 || status === 410) return { state: "missing" };
  if (poll.missing && holds(body, poll.missing)) return { state: "missing" };
  if (status < 200 || status > 299) return trouble(describe(errors, body, secret, reply), readRetryAfter(headers, body));
  const found = readPath(body, at);
  if (holds(body, poll.ok) && typeof found === "object" && found !== null) return { found };
  return trouble(describe(errors, body, secret, reply));
}

function going({ progress }: JobSpec, state: "queued" | "running", record: unknown): Polled {
  const value = progress === undefined ? undefined : readNumber(record, progress.at);
  if (value === undefined || progress === undefined) return { state };
  return { state, progress: Math.round(Math.min(Math.max(value / progress.of, 0), 1) * 100) };
}

function failed({ errors }: JobSpec, means: "failed" | FailureClass, record: unknown, secret: string): Polled {
  const failure = means === "failed" ? (classify(errors, record) ?? "transient") : means;
  return { state: "failed", refusal: refuse(failure, describe(errors, record, secret)) };
}
