import type { IncomingHttpHeaders } from "node:http";
import type { TaskInput, TaskKind } from "../src/core/kinds.ts";
import type { Polled } from "../src/core/provider.ts";

export type LabRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: unknown };

/** A reply as the dialect would give it, before the script spoils it. */
export type LabReply = { status: number; body?: unknown; headers?: Record<string, string> };

/** What a request asks of the upstream, whatever its wire. */
export type Intent =
  | { do: "submit"; kind: TaskKind; model: string; prompt: string }
  | { do: "poll"; ids: string[]; many: boolean }
  | { do: "cancel"; id: string }
  | { do: "reject"; says: string };

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

/** A job as it stands at the moment of the question. */
export type JobView = {
  id: string;
  kind: TaskKind;
  model: string;
  prompt: string;
  state: JobState;
  word: string;
  /** 0 to 1. */
  progress: number;
  /** The code or words of a failed job; empty for others. */
  failure: string;
  /** False when the job says that it is done before its results are there. */
  hasResults: boolean;
  submittedAt: number;
  startedAt: number;
  finishedAt: number;
  /** An address of a result, good for a while: "clip.mp4", "tone.mp3" or "cover.png". */
  link(file: string): string;
};

/** Why the upstream says no. */
export type No = "auth" | "invalid" | "quota" | "rate_limit" | "content_policy" | "missing" | "down";

/** One job that the adapter of this dialect must be able to carry through. */
export type Sample = TaskInput & { model: string };

/** The wire of one upstream as it looks from the other side, and what an adapter must make of it. */
export type Dialect = {
  /** The adapter's type, and the first segment of the dialect's addresses in the lab. */
  type: string;
  key(request: LabRequest): string | null;
  /** Null where the upstream has no such address. */
  read(request: LabRequest): Intent | null;
  accepted(job: JobView): LabReply;
  shown(jobs: JobView[], many: boolean): LabReply;
  cancelled?(): LabReply;
  no(reason: No, says: string): LabReply;
  /** Whether a no may also come with HTTP 200. */
  envelope: boolean;
  /** The word for each state. */
  plain: Record<JobState, string>;
  /** The upstream's whole vocabulary, and what an adapter must make of each word. */
  words: Record<string, { shows: JobState; means: Polled["state"] }>;
  /** How failed jobs explain themselves. */
  failures: { content: string; internal: string };
  samples: readonly Sample[];
  /** How much of the configuration file one model takes: its public name, kind and price. */
  models: readonly { name: string; kind: TaskKind; price: string }[];
};

/** A field of a body that may be anything. */
export function fieldOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

/** The same where only text will do. */
export function textOf(body: unknown, name: string): string {
  const value = fieldOf(body, name);
  return typeof value === "string" ? value : "";
}

/** The key of an "Authorization: Bearer" header. */
export function bearerOf({ headers }: Pick<LabRequest, "headers">): string | null {
  return /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? null;
}
