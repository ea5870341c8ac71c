/** The wire of one upstream as data: how a job is sent, asked for, read and stopped. `job.ts` does the rest. */
import type { TaskKind, Work } from "../../core/kinds.ts";
import type { KindLimits } from "../../core/provider.ts";
import type { FailureClass } from "../../core/refusal.ts";
import type { Condition, Path, Paths, Scalar } from "./path.ts";
import type { UpstreamAuth } from "../upstream/upstream.ts";

export type JobSpec = {
  /** The name of the adapter in the configuration. */
  type: string;
  /** Absent where the operator must name it. */
  baseUrl?: string;
  /** Hosts beside the base URL's that may be shown the credential. */
  trustedHosts?: readonly string[];
  /** A bearer token unless told. */
  auth?: UpstreamAuth;
  headers?: Record<string, string>;
  pollEveryMs: number;
  /** Seconds for an answer: 60 to a start, 20 to a poll unless told. */
  patience?: { startSeconds?: number; pollSeconds?: number };
  /** Limits per kind and upstream model; "*" at the end of a name matches the rest, and the first match counts. */
  models: { [K in TaskKind]?: Record<string, KindLimits> };
  /** Ways to send a job; the first whose kind and conditions fit is taken, and where none fits the job is refused. */
  start: readonly Start[];
  accepted: {
    /** What makes a 2xx reply a yes, for upstreams that also say no with one. */
    ok?: readonly Condition[];
    id: Paths;
    /** What else of the reply a poll needs, by the name under which addresses use it: "{keep.name}". */
    keep?: Record<string, Path>;
  };
  poll: {
    send: Send;
    ok?: readonly Condition[];
    /** Where the job's record lies in the reply; every path below starts there. */
    task?: Path;
    /** Replies other than 404 that say the job is not known. */
    missing?: readonly Condition[];
    many?: ManyPoll;
  };
  /** The upstream's words and what they mean, in any case of letters; a word that is not here means that the job goes on. */
  status: { at: Paths; words: Readonly<Record<string, Meaning>> };
  /** `of` is what a whole job counts: 1 or 100. */
  progress?: { at: Paths; of: number };
  results: { [K in TaskKind]?: Results[K] };
  errors: Errors;
  cancel?: { send: Send; /** States in which the upstream really stops. */ from: readonly ("queued" | "running")[] };
};

/** Method and address: a path with "{id}", "{model}" or "{keep.name}" in it, or one such whole address. */
export type Send = `${"GET" | "POST" | "PUT" | "DELETE"} ${string}`;

export type Start = {
  [K in TaskKind]: { kind: K; when?: readonly Condition<JobPath<K>>[]; send: Send; body: Fields<K> };
}[TaskKind];

/** Asks for many jobs at once: "{ids}" in the address is their list with commas, `ids` the body's field for it. */
export type ManyPoll = { send: Send; ids?: string; max: number; list: Path; id: Paths };

export type Meaning = "queued" | "running" | "done" | "failed" | "missing" | FailureClass;

/** A body under construction: paths of our job, marked values, and objects and lists of them. What leads to nothing is left out. */
export type Field<K extends TaskKind> =
  | JobPath<K>
  | { from: JobPath<K>; as?: Change }
  | { const: Scalar }
  /** An object that is there on conditions alone. */
  | { object: Fields<K>; when: readonly Condition<JobPath<K>>[] }
  | readonly Field<K>[]
  | Fields<K>;

/** The reserved names tell marked values from objects. */
export type Fields<K extends TaskKind> = {
  readonly [name: string]: Field<K> | undefined;
  readonly from?: undefined;
  readonly const?: undefined;
  readonly object?: undefined;
};

/** A path of the job that a provider is given. */
export type JobPath<K extends TaskKind> = "model" | "taskId" | "idempotencyKey" | `input.${Below<Work[K]["input"]>}`;

type Below<T> = T extends Scalar | null | undefined
  ? never
  : { [P in keyof T & string]-?: P | `${P}.${Below<NonNullable<T[P]>>}` }[keyof T & string];

export type Change =
  /** A file as an https address if it is one, else as a data URI. */
  | "link"
  | "data-uri"
  /** An aspect ratio as "16:9". */
  | "ratio"
  /** The one of these "W:H" whose shape is nearest. */
  | { nearestRatio: readonly string[] }
  | { nearest: readonly number[] }
  /** Values by the text of what was given; others are left out. */
  | { lookup: Readonly<Record<string, Scalar>> }
  /** As text, with this behind it. */
  | { suffix: string };

export type Results = {
  video: { video: Paths; cover?: Paths; durationSeconds?: Paths };
  music: {
    songs: Path;
    /** Paths from here on start at a song; the job goes on until all songs are ready. */
    ready?: readonly Condition[];
    id?: Paths;
    title?: Paths;
    tags?: Paths;
    lyrics?: Paths;
    durationSeconds?: Paths;
    seed?: Paths;
    audio: Paths;
    image?: Paths;
    video?: Paths;
  };
  lyrics: { title?: Paths; text: Paths; tags?: Paths };
};

/** How the upstream's errors are told apart: by code, else by HTTP status, and by words where those say no more than "invalid". */
export type Errors = {
  code?: Paths;
  message?: Paths;
  /** Codes, or their beginnings with "*" at the end. */
  codes?: Readonly<Record<string, FailureClass>>;
  http?: Readonly<Record<number, FailureClass>>;
  /** Sources of regular expressions, tried on the message in any case. */
  texts?: readonly (readonly [pattern: string, means: FailureClass])[];
  /** Codes that are a definite no even under a 5xx status. */
  definite?: readonly string[];
};
