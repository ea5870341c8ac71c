import type { IncomingHttpHeaders } from "node:http";
import type { TaskInput, TaskKind } from "../src/core/kinds.ts";
import type { Polled } from "../src/core/provider.ts";

export type LabRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** JSON as it was sent, or the fields of a form with each file as a LabFile. */
  body: unknown;
};

/** A file part of a form. */
export type LabFile = { file: string; mime: string; bytes: Uint8Array };

/** A reply as the dialect would give it, before the script spoils it; a body of bytes is sent as it is, any other as JSON. */
export type LabReply = { status: number; body?: unknown; headers?: Record<string, string> };

/** What a request asks of the upstream, whatever its wire. */
export type Intent =
  | {
      do: "submit";
      kind: TaskKind;
      model: string;
      prompt: string;
      /** Where to tell of changes, and the secret that came with it. */
      callback?: { url: string; secret?: string };
      /** The caller's own name of the job, where the wire has a field for it. */
      reference?: string;
      /** What the dialect wants to remember of the request, e.g. which way it was sent. */
      note?: Record<string, unknown>;
    }
  | { do: "poll"; ids: string[]; many: boolean }
  /** Another question about a job: answered by `other[as]`. Where it is open, no key is looked at. */
  | { do: "ask"; id: string; as: string; open?: boolean }
  /** The job of a caller's own name: answered by `other.lookup` where there is one, else like a poll; with `many` also where there is none. */
  | { do: "lookup"; reference: string; many?: boolean }
  | { do: "cancel"; id: string }
  /** Something without a job: an upload, say, or with `open` the keys that callbacks are signed with. */
  | { do: "answer"; reply: LabReply; open?: boolean }
  | { do: "reject"; says: string };

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

/** A job as it stands at the moment of the question. */
export type JobView = {
  id: string;
  kind: TaskKind;
  model: string;
  prompt: string;
  /** What the intent noted. */
  note: Record<string, unknown>;
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
  /** The dialect's own address in the lab, to write whole URLs with. */
  baseUrl: string;
};

export type CallbackGiven = { url: URL; key: string; secret: string | undefined; nowMs: number; id: string };
export type LabCallback = { headers: Record<string, string>; body: string };

/** Why the upstream says no. */
export type No = "auth" | "invalid" | "quota" | "rate_limit" | "content_policy" | "missing" | "down";

/** One job that the adapter of this dialect must be able to carry through; `results` is how many songs or pictures come of it, where that is certain. */
export type Sample = TaskInput & { model: string; results?: number };

/** The wire of one upstream as it looks from the other side, and what an adapter must make of it. */
export type Dialect = {
  /** The adapter's type, and the first segment of the dialect's addresses in the lab. */
  type: string;
  /** The adapter's type where it differs, because one adapter speaks several wires. */
  adapter?: string;
  /** The lab's key that the request shows; where requests are signed with it, only if the signature is right. */
  key(request: LabRequest): string | null;
  /** True where the upstream takes whoever comes. */
  keyless?: boolean;
  /** What an operator writes as the key, where that is more than the lab's key itself: "access:secret", say. */
  credential?(key: string): string;
  /** Null where the upstream has no such address. */
  read(request: LabRequest): Intent | null;
  /** Submits, or those of some kinds, are answered with the result itself: `accepted` is given the finished job. */
  instant?: boolean | readonly TaskKind[];
  accepted(job: JobView): LabReply;
  /** Left out where all submits are instant. */
  shown?(jobs: JobView[], many: boolean): LabReply;
  /** Answers to other questions about a job, by the name that the intent gave. */
  other?: Record<string, (job: JobView) => LabReply>;
  cancelled?(): LabReply;
  /** The states in which a cancel really stops a job; queued and running unless told. */
  cancels?: readonly JobState[];
  /** What the upstream sends to the callback address when a job has changed, signed as it signs; null where it says nothing of that state. */
  callback?(job: JobView, given: CallbackGiven): LabCallback | null;
  /** What the upstream sends to a callback address before anything else, and the text that the answer must hold. */
  challenge?(given: CallbackGiven): LabCallback & { wants: string };
  /** The secret that an operator would have made there for signing callbacks, where the wire has one. */
  webhookSecret?: string;
  /** What an operator must write under `options` for the lab, if anything. */
  options?(baseUrl: string): Record<string, unknown>;
  no(reason: No, says: string): LabReply;
  /** Whether a no may also come with HTTP 200. */
  envelope: boolean;
  /** The word for each state. */
  plain: Record<JobState, string>;
  /** The upstream's whole vocabulary, and what an adapter must make of each word. */
  words: Record<string, { shows: JobState; means: Polled["state"] }>;
  /** How failed jobs explain themselves. */
  failures: { content: string; internal: string };
  /** False where records carry no progress. */
  tellsProgress?: boolean;
  /** False where the upstream has no word for a waiting job: it runs at once. */
  tellsQueue?: boolean;
  /** False where the result is inside the reply, or its links do not end. */
  linksExpire?: boolean;
  /** The wait that 429 asks for comes in another way than the header; absent: header. */
  retryAfter?: "none";
  samples: readonly Sample[];
  /** How much of the configuration file one model takes: its public name, kind and price. */
  models: readonly { name: string; kind: TaskKind; price: string; /** The upstream's name where it differs. */ model?: string }[];
};

/** Whether submits of a kind are answered with the result itself. */
export function isInstant({ instant = false }: Pick<Dialect, "instant">, kind: TaskKind): boolean {
  return typeof instant === "boolean" ? instant : instant.includes(kind);
}

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
