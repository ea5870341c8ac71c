import type { AnswerCall, CallOperation } from "./call.ts";
import type { Credential, Refusal } from "./refusal.ts";
import type { ImageAct, InputFile, MaskPaints, TaskInput, TaskKind, TaskOutput, VideoAct } from "./kinds.ts";

/** One attempt at a task, as a provider sees it. */
export type Job = TaskInput & {
  taskId: string;
  attempt: number;
  /** The upstream's own name of the model. */
  model: string;
  /** The same for every repetition of this attempt, and for no other attempt. */
  idempotencyKey: string;
  /** Where the upstream may tell that the job has changed, and what it may sign that with; absent where it cannot reach us. */
  callback?: { url: string; secret: string };
};

/** How an upstream knows a job it accepted; `keep` is what else its adapter wants back at each poll. */
export type UpstreamJob = { upstreamId: string; keep: Record<string, string>; kind: TaskKind; model: string };

export type Started =
  | { state: "accepted"; upstreamId: string; keep?: Record<string, string> }
  /** `discard` removes what the provider left lying, once the output is stored. */
  | { state: "done"; output: TaskOutput; discard?: () => Promise<void> }
  /** A definite no: nothing runs and nothing will be charged. */
  | { state: "refused"; refusal: Refusal }
  /** The request may or may not have arrived. */
  | { state: "unknown"; cause: string };

export type Polled =
  | { state: "queued" | "running"; progress?: number }
  | { state: "done"; output: TaskOutput }
  | { state: "failed"; refusal: Refusal }
  /** The upstream does not know the job. */
  | { state: "missing" }
  /** The question itself failed; the job's state is not known and has not changed. */
  | { state: "trouble"; cause: string; retryAfterMs?: number };

/** What a provider may use while it works: time, its credential, the files a request names, and a way to tell how far it is. */
export type Work = {
  signal: AbortSignal;
  credential: Credential;
  /** Whole per cent, 0 to 100. */
  report: (progress: number) => void;
  /** Reads a file that the request names, and makes a picture fit what the upstream takes; throws Failure("input_unreachable"). */
  load: (file: InputFile, limits?: PictureLimits) => Promise<LoadedFile>;
};

export type LoadedFile = { bytes: Uint8Array; mime: string; /** Whether it differs from what was named. */ changed?: boolean };

/** What an upstream takes of a picture; what is larger is made smaller, and what is of another format is written anew. */
export type PictureLimits = {
  maxBytes?: number;
  maxSide?: number;
  minSide?: number;
  formats?: readonly ("png" | "jpeg" | "webp" | "gif")[];
  mask?: MaskWish;
};

/**
 * A picture that is a mask, and how it is wanted. With colours, shades between count in part, and transparent pixels are black.
 * `given` is what `maskPaints` says. `size` is that of the picture it belongs to, as that is sent: a mask of the same shape gets it too.
 */
export type MaskWish = { given?: MaskPaints; wanted: MaskPaints; size?: { width: number; height: number } };

/** What an upstream allows for one kind of work; absent means anything our own ranges allow. */
export type KindLimits = {
  /** Whole seconds that the model can make. */
  durations?: { min: number; max: number } | readonly number[];
  aspectRatios?: readonly string[];
  promptCharacters?: number;
  needsImage?: boolean;
  /** What can be asked for; absent: "generate" alone. */
  acts?: readonly (ImageAct | VideoAct)[];
  /** How many pictures at once. */
  count?: number;
};

/** A provider is data and calls, nothing else: no retries, no prices, no database, no web framework. Abilities are present or absent. */
export type Provider = {
  /** Long work that is started, asked about and collected. */
  tasks?: TaskProvider;
  /** The calls it answers at once, by their operation. */
  calls?: Calls;
  /** Asks whether it is there and takes its key, by the cheapest question that it has; never throws. */
  probe?(work: Pick<Work, "credential" | "signal">): Promise<Probed>;
};

/** What a probe found, for operators; nothing of the key is in it. */
export type Probed = { ok: boolean; says: string };

export type Calls = { readonly [O in CallOperation]?: AnswerCall };

/** What a provider of tasks can do. */
export type TaskProvider = {
  /** The kinds it serves; per kind, the limits of one model by its upstream name. */
  serves: { [K in TaskKind]?: (model: string) => KindLimits };
  /** What a crash between sending a job and writing its id down leaves to do: send it again under the same key, look it up, or neither. */
  recovery: "repeat" | "lookup" | "none";
  /** Whether each kind has its own queue and slots (own machines) or all share the upstream's (one account there). */
  lanes: "shared" | "per-kind";
  /** Kinds whose start answers with the result itself, where others are asked about. */
  instant?: readonly TaskKind[];
  /** How often to ask, at the fastest. */
  pollEveryMs: number;
  start(job: Job, work: Work): Promise<Started>;
  /** Null only where the upstream says that it has no such job. */
  lookup?(job: Job, work: Work): Promise<Extract<Started, { state: "accepted" | "unknown" }> | null>;
  poll?(job: UpstreamJob, work: Work): Promise<Polled>;
  /** Asks for up to `max` jobs at once; what is left out of the answer is "missing". */
  pollMany?: { max: number; run(jobs: UpstreamJob[], work: Work): Promise<Map<string, Polled>> };
  /** True when the upstream confirms that it stopped and will not charge. */
  cancel?(job: UpstreamJob, work: Work): Promise<boolean>;
  /** Judges a message that came to the callback address of a job; what it says of the job itself is never believed, only asked about. */
  hear?(message: CallbackMessage, keys: CallbackKeys): Promise<Heard>;
  /** How much at once where the operator sets nothing. */
  usualLimits?: { concurrent?: number; perMinute?: number };
};

/** A request to a callback address, as it came. */
export type CallbackMessage = {
  method: string;
  /** Path and query as they came. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
  now: number;
};

/** `job` is what the job's own callback carried; `credential` the key the job was sent with. */
export type CallbackKeys = { job: string; credential: string };

export type Heard =
  | { state: "genuine" }
  /** The upstream tries the address out and wants this answer. */
  | { state: "challenge"; reply: unknown }
  | { state: "forged"; cause: string };

/** One entry under `providers:` in the configuration, as an adapter receives it. */
export type ProviderSettings = {
  name: string;
  baseUrl?: string;
  allowPrivateNetwork: boolean;
  /** The upstream's secret for signing callbacks, where the operator made one there. */
  webhookSecret?: string;
  /** Settings of this adapter alone, as written in the file. */
  options?: Readonly<Record<string, unknown>>;
};

/** An adapter: makes a provider from the operator's settings. */
export type Adapter = {
  type: string;
  /** Absent where the operator must name it. */
  defaultBaseUrl?: string;
  needsKey: boolean;
  /** What its page in the documentation says. */
  about?: ProviderPage;
  create(settings: ProviderSettings): Provider;
};

/** What an operator should know of an upstream, beside what its adapter shows by itself. */
export type ProviderPage = {
  title: string;
  /** One or two sentences: what it is, and what to mind. */
  summary: string;
  /** What could not be confirmed from the upstream's own sources, and how the adapter guards against it. */
  unconfirmed?: readonly string[];
  /** Names and meanings of what may stand under `options`. */
  options?: Readonly<Record<string, string>>;
  /** An example: a model name as the upstream has it, by kind, and a price line as an operator might write it. */
  examples: readonly { kind: TaskKind; model: string; price: string }[];
};
