/** The wire of one upstream as data: how a job is sent, asked for, read and stopped. `job.ts` does the rest. */
import type { MaskPaints, MediaKind, Work } from "../../core/kinds.ts";
import type { CallbackMessage, Heard, Job, KindLimits, PictureLimits, ProviderPage } from "../../core/provider.ts";
import type { FailureClass } from "../../core/refusal.ts";
import type { Condition, Path, Paths, Scalar } from "./path.ts";
import type { UpstreamAuth } from "../upstream/upstream.ts";

export type JobSpec = {
  /** The name of the adapter in the configuration. */
  type: string;
  about: ProviderPage;
  /** Absent where the operator must name it. */
  baseUrl?: string;
  /** Hosts beside the base URL's that may be shown the credential. */
  trustedHosts?: readonly string[];
  /** A bearer token unless told. */
  auth?: UpstreamAuth;
  /** For services of one's own, which may have been set up with a key or without. */
  keyOptional?: boolean;
  headers?: Record<string, string>;
  pollEveryMs: number;
  /** Seconds for an answer: 60 to a start, 20 to a poll unless told. */
  patience?: { startSeconds?: number; pollSeconds?: number };
  /** How much at once where the operator sets nothing. */
  usualLimits?: { concurrent?: number; perMinute?: number };
  /** Limits per kind and upstream model; "*" at the end of a name matches the rest, and the first match counts. */
  models: { [K in MediaKind]?: Record<string, KindLimits> };
  /** What the upstream takes of pictures that are sent along. */
  pictures?: PictureLimits;
  /** Ways to send a job; the first whose kind and conditions fit is taken, and where none fits the job is refused as not supported. */
  start: readonly Start[];
  /** Where the reply to a start names the job; absent where every way answers with the result itself. */
  accepted?: {
    /** What makes a 2xx reply a yes, for upstreams that also say no with one. */
    ok?: readonly Condition[];
    /** Several ids ("[*].id") are joined with commas. */
    id: Paths;
    /** What else of the reply a poll needs, by the name under which addresses use it: "{keep.name}". */
    keep?: Record<string, Path>;
  };
  /** Absent where every way answers with the result itself. */
  poll?: Poll;
  /** Finds by our own reference ("{reference}", the job's idempotencyKey) a job whose start was not answered. */
  lookup?: { send: Send; ok?: readonly Condition[]; id: Paths; keep?: Record<string, Path> };
  /** What a job's record means. */
  status: Status;
  /** `of` is what a whole job counts: 1 or 100. With `last`, the last number before a "%" in a text. */
  progress?: { at: Paths; of: number; last?: boolean };
  /** Further questions once a job is done, in order; each reply lies in the record under its name when results are read. */
  resolve?: readonly Resolve[];
  results: { [K in MediaKind]?: Results[K] };
  errors: Errors;
  cancel?: {
    send: Send;
    body?: Readonly<Record<string, string>>;
    /** States in which the upstream really stops. */
    from: readonly ("queued" | "running")[];
    ok?: readonly Condition[];
  };
  /** Judges messages to the callback address, which bodies name as "callback.url"; see `callbacks/`. */
  hears?: Verifier;
};

export type Verifier = (message: CallbackMessage, keys: VerifierKeys) => Heard | Promise<Heard>;
/** `webhook` is the secret that the operator made at the upstream; absent where none was given. */
export type VerifierKeys = { job: string; credential: string; webhook?: string; options: Readonly<Record<string, unknown>> };

/**
 * Method and address: a path with places in it, or one place that holds a whole address.
 * Places: "{id}", "{model}", "{reference}", "{keep.name}", "{record.path}", "{options.name}"; "{+id}" may hold slashes, "{name?}" may be empty.
 */
export type Send = `${"GET" | "POST" | "PUT" | "DELETE"} ${string}`;

export type Start = { [K in MediaKind]: StartOf<K> }[MediaKind];

export type StartOf<K extends MediaKind> = {
  kind: K;
  when?: readonly Condition<JobPath<K>>[];
  /** Earlier requests, in order, whose answers the body may use as "prepared.name". */
  prepare?: Record<string, Prepare<K>>;
  send: Send;
  /** With places in them; a header whose place stays empty is left out. */
  headers?: Record<string, string>;
  query?: Fields<K>;
  /** Sent as JSON. */
  body?: Field<K>;
  /** Sent as multipart/form-data; files become parts. */
  form?: Fields<K>;
  /** Makes a JSON body by code, where data cannot say it. */
  build?: (job: Job, given: { prepared: Readonly<Record<string, unknown>>; options: Readonly<Record<string, unknown>> }) => unknown;
  /** Values for the addresses of later questions: "{keep.name}". */
  keep?: Readonly<Record<string, string>>;
  /** What a 2xx reply is: a job to ask about, the finished record as JSON, or the medium itself. A job unless told. */
  answers?: "job" | "record" | "bytes";
};

/** A request before the start: an upload, or the first of two steps. What it did not get makes the start a definite no. */
export type Prepare<K extends MediaKind> = {
  when?: readonly Condition<JobPath<K>>[];
  send: Send;
  body?: Field<K>;
  form?: Fields<K>;
  ok?: readonly Condition[];
  take: Paths;
};

export type Poll = {
  /** One address, or one for each kind. */
  send: Send | { readonly [K in MediaKind]?: Send };
  /** A JSON body of texts with places in them. */
  body?: Readonly<Record<string, string>>;
  ok?: readonly Condition[];
  /** Where the job's record lies in the reply, with places in it; every path below starts there. */
  task?: Path;
  /** Replies other than 404 that say the job is not known. */
  missing?: readonly Condition[];
  /** What it means that the reply holds no record: "missing" unless told. */
  absent?: "missing" | "queued" | "running";
  many?: ManyPoll;
};

/** Asks for many jobs at once: "{ids}" in the address is their list with commas, `repeat` a query field for each, `ids` the body's field for the list. */
export type ManyPoll = { send: Send; ids?: string; repeat?: string; max: number; list: Path; id: Paths };

export type Status = {
  /** The upstream's word; absent where rules alone decide. Several words ("[*].status") are the job's parts. */
  at?: Paths;
  /** In any case of letters; a word that is not here means that the job goes on. */
  words: Readonly<Record<string, Meaning>>;
  /** Tried before the words, the first that holds counts; "@http" is the reply's status. */
  rules?: readonly { when: readonly Condition[]; means: Meaning }[];
};

export type Meaning = "queued" | "running" | "done" | "failed" | "missing" | FailureClass;

/** `refused` says what a no to this question means: that the job failed with that error, or that the answer is not there yet. */
export type Resolve = { name: string; send: Send; refused: "failed" | "wait"; ok?: readonly Condition[] };

/** A body under construction: paths of our job, marked values, and objects and lists of them. What leads to nothing is left out. */
export type Field<K extends MediaKind> =
  | JobPath<K>
  /** `or` stands in where the path leads to nothing. */
  | { from: JobPath<K>; as?: Change | readonly Change[]; or?: Scalar }
  | { const: Scalar }
  /** An object that is there on conditions alone. */
  | { object: Field<K>; when: readonly Condition<JobPath<K>>[] }
  /** One for each of a list, which is called "item" inside. */
  | { each: JobPath<K>; item: Field<K> }
  /** Several objects as one; later ones go before. A path that leads to an object gives its fields. */
  | { merge: readonly Field<K>[] }
  | readonly Field<K>[]
  | Fields<K>;

/** The reserved names tell marked values from objects. */
export type Fields<K extends MediaKind> = {
  readonly [name: string]: Field<K> | undefined;
  readonly from?: undefined;
  readonly const?: undefined;
  readonly object?: undefined;
  readonly each?: undefined;
  readonly merge?: undefined;
};

/** A path of the job that a provider is given, of what was prepared, of the operator's options, or of the callback. */
export type JobPath<K extends MediaKind> =
  | "model"
  | "taskId"
  | "idempotencyKey"
  | "callback.url"
  | "callback.secret"
  | "item"
  | `item.${string}`
  | `prepared.${string}`
  | `options.${string}`
  | `input.${Below<Work[K]["input"]>}`;

type Below<T> = T extends Scalar | null | undefined | readonly unknown[]
  ? never
  : { [P in keyof T & string]-?: P | Placed<P, NonNullable<T[P]>> | `${P}.${Below<NonNullable<T[P]>>}` }[keyof T & string];
type Placed<P extends string, V> = V extends readonly unknown[] ? `${P}[${number}]` : never;

export type Change =
  /** A file as an https address if it is one and fits, else as a data URI. */
  | "link"
  | "data-uri"
  /** The file's bytes without any prefix. */
  | "base64"
  | "mime"
  /** A part of a form. */
  | "file"
  /** The file of a mask, redrawn so that these of its pixels say where to paint; `alone` where its picture is not sent along. */
  | { mask: MaskPaints; as: "link" | "data-uri" | "base64" | "file"; alone?: true }
  /** An aspect ratio as "16:9". */
  | "ratio"
  /** Pixels as "1024x768". */
  | "size"
  | "text"
  | "integer"
  | "upper"
  | "lower"
  | "first"
  /** The one of these "W:H" or "WxH" whose shape is nearest. */
  | { nearestRatio: readonly string[] }
  /** The one of these names ("720p", "768P", "2K") whose lines are nearest; the same name first. */
  | { nearestLines: readonly string[] }
  | { nearest: readonly number[] }
  | { clamp: readonly [min: number, max: number] }
  | { times: number }
  /** Values by the text of what was given; others are left out. */
  | { lookup: Readonly<Record<string, Scalar>> }
  | { replace: readonly [what: string, by: string] }
  | { cut: number }
  /** As text, with this before or behind it. */
  | { prefix: string }
  | { suffix: string };

/** Where a medium lies: an address, bytes in a text, an address that wants the credential, a request of its own, or the reply itself. */
export type Media =
  | Paths
  | { at: Paths; as: "base64" | "hex" | "guarded" }
  /** Places are filled from the record that the path started at, beside the usual ones; an address at `unless` goes before the request. */
  | { send: Send; unless?: Paths }
  | { body: true };

export type Results = {
  video: { video: Media; cover?: Media; durationSeconds?: Paths };
  music: {
    /** A list, or one object. */
    songs: Paths;
    /** Paths from here on start at a song; the job goes on until all songs are ready. */
    ready?: readonly Condition[];
    id?: Paths;
    title?: Paths;
    tags?: Paths;
    lyrics?: Paths;
    durationSeconds?: Paths;
    seed?: Paths;
    audio: Media;
    image?: Media;
    video?: Media;
  };
  lyrics: { title?: Paths; text: Paths; tags?: Paths };
  image: {
    /** A list, or one; of objects or of texts. Absent or empty where the act yields texts. */
    pictures: Paths;
    /** From here on paths start at a picture; "" is the picture itself. */
    media: Media;
    /** Or at the record, where it is one for all. */
    seed?: Paths;
    prompt?: Paths;
    /** True of pictures that the upstream made but withholds; a job all of whose pictures are such failed over its content. */
    withheld?: readonly Condition[];
    /** Conditions on the whole record under which its one picture is a grid of several. */
    grid?: readonly Condition[];
    /** From the record: a list of texts, or one. */
    texts?: Paths;
    buttons?: { list: Path; id: Paths; label?: Paths; emoji?: Paths };
    usage?: Path;
  };
};

/** How the upstream's errors are told apart: by code, else by HTTP status, and by words where those say no more than "invalid". */
export type Errors = {
  code?: Paths;
  message?: Paths;
  /** Codes, or their beginnings with "*" at the end, or what they contain with "*" at both ends. */
  codes?: Readonly<Record<string, FailureClass>>;
  http?: Readonly<Record<number, FailureClass>>;
  /** Sources of regular expressions, tried on the message in any case. */
  texts?: readonly (readonly [pattern: string, means: FailureClass])[];
  /** Codes that are a definite no even under a 5xx status. */
  definite?: readonly string[];
};
