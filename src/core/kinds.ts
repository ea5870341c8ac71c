/** What each kind of work is asked for (inputs) and what it yields (outputs), in our own words. */

export const kinds = [
  "completion",
  "chat",
  "embedding",
  "moderation",
  "rerank",
  "image",
  "speech",
  "transcription",
  "music",
  "lyrics",
  "video",
] as const;
export type Kind = (typeof kinds)[number];

/** A file that a request names: an address on the web, a data URI, or one of our stored files. */
export type InputFile = { from: "url"; url: string } | { from: "data"; uri: string } | { from: "file"; id: string };

/** Further wishes of the dialect a request came in, by their wire names. */
export type Extras = Record<string, string | number | boolean>;

export type Ratio = { width: number; height: number };

export type VideoInput = {
  prompt: string;
  negativePrompt?: string;
  /** The first frame. */
  image?: InputFile;
  lastImage?: InputFile;
  /** The finished video that this one goes on from or changes. */
  source?: VideoSource;
  durationSeconds: number;
  /** Nobody asked for this duration: a model that cannot make it may take the nearest it can. */
  isDefaultDuration?: boolean;
  aspectRatio: Ratio;
  /** "480p", "720p", "1080p" and the like; absent: the upstream's usual one. */
  resolution?: string;
  /** The exact pixels asked for, where the dialect has them. */
  size?: { width: number; height: number };
  seed?: number;
  loop?: boolean;
  extras?: Extras;
  midjourney?: Extras;
};

export const videoActs = ["generate", "extend", "remix"] as const;
export type VideoAct = (typeof videoActs)[number];

/** A finished video of ours, and how its upstream knows it. */
export type VideoSource = { act: Exclude<VideoAct, "generate">; taskId: string; upstreamTaskId: string | null; video: InputFile };

/** What can be asked of a model of pictures. */
export const imageActs = [
  "generate",
  /** Changes a picture after a prompt, where a mask allows it or everywhere. */
  "edit",
  "vary",
  "blend",
  "upscale",
  "reroll",
  /** Shows more around a picture. */
  "zoom",
  "pan",
  /** Yields texts, not pictures. */
  "describe",
  "shorten",
  "swap",
] as const;
export type ImageAct = (typeof imageActs)[number];

/** Which pixels of a mask say where to paint. */
export type MaskPaints = "transparent" | "white" | "black";

export type ImageInput = {
  act: ImageAct;
  prompt: string;
  negativePrompt?: string;
  /** Pictures to work on or to go by, in the order given. */
  images: InputFile[];
  /** A picture that says where to paint. */
  mask?: InputFile;
  /** Absent: its transparent pixels, or its white ones where none is transparent. */
  maskPaints?: MaskPaints;
  count: number;
  /** Whether the pictures are also wanted as one, in a grid. */
  grid: boolean;
  /** Pixels; absent: what follows from the shape. */
  size?: { width: number; height: number };
  /** Absent: the upstream's usual shape, or that of the source. */
  aspectRatio?: Ratio;
  seed?: number;
  /** 0 to 1: how far the result may go from its source. */
  strength?: number;
  source?: ImageSource;
  extras?: Extras;
  /** What only Midjourney's dialect knows, `prompt` with its parameters among it: shown again in its records, and sent on to its proxies. */
  midjourney?: Extras;
};

/** The finished pictures that an act goes on from, and how their upstream knows them. */
export type ImageSource = {
  taskId: string;
  upstreamTaskId: string | null;
  /** Which picture of a grid, from 0; null: the only one, or all. */
  place: number | null;
  /** The upstream's own name of the button that was pressed; null where the upstream has no buttons. */
  button: string | null;
  prompt: string;
  seed: number | null;
};

export type MusicInput = {
  mode: "inspiration" | "custom" | "continuation";
  /** What the song should be about; lyrics, title and tags are the provider's to make. */
  description?: string;
  lyrics?: string;
  title?: string;
  /** Style words, separated by commas. */
  tags?: string;
  instrumental: boolean;
  seed?: number;
  continues?: SongSource;
  extras?: Extras;
};

/** The finished song that a continuation goes on from. */
export type SongSource = {
  taskId: string;
  songId: string;
  songIndex: number;
  upstreamTaskId: string | null;
  upstreamSongId: string | null;
  atSeconds: number;
  direction: "after" | "before";
  song: { title: string; tags: string; lyrics: string; durationSeconds: number; seed: number | null };
};

export type LyricsInput = { prompt: string };

/** A call that a client does not wait for: the operation, its request, and the files of its form among our stored ones. */
export type DeferredInput = {
  operation: string;
  body: Record<string, unknown>;
  files: { field: string; name: string; mime: string; file: InputFile }[];
};

/** Where a provider left a medium. */
export type MediaSource =
  | { from: "path"; path: string }
  | { from: "bytes"; bytes: Uint8Array }
  | { from: "url"; url: string; headers?: Record<string, string> };

export type VideoOutput = {
  kind: "video";
  video: MediaSource;
  cover?: MediaSource;
  durationSeconds?: number;
};

export type Song = {
  upstreamId: string | null;
  title: string;
  tags: string;
  lyrics: string;
  durationSeconds: number;
  seed?: number;
  audio: MediaSource;
  image?: MediaSource;
  video?: MediaSource;
};

export type MusicOutput = { kind: "music"; songs: Song[] };
export type LyricsOutput = { kind: "lyrics"; title: string; text: string; tags: string[] };

export type Picture = { media: MediaSource; seed?: number; /** The prompt it was really made from. */ prompt?: string };

/** Something that can be done next with the pictures: the upstream's own name for it, and how it is shown. */
export type Button = { id: string; label: string; emoji: string };

export type ImageOutput = {
  kind: "image";
  pictures: Picture[];
  /** The pictures as one; where the upstream makes only that, it is the one picture too. */
  grid?: MediaSource;
  texts?: string[];
  buttons?: Button[];
  /** The use in the upstream's words, where it tells. */
  usage?: Record<string, unknown>;
};

/** The reply to a deferred call: JSON, text, or a medium; and what it came to. */
export type DeferredOutput = { kind: "reply"; value?: unknown; text?: string; media?: MediaSource; costNanos: number; provider: string };

/** Kinds that run as tasks, each with its input and its output. */
export type Work = {
  video: { input: VideoInput; output: VideoOutput };
  music: { input: MusicInput; output: MusicOutput };
  lyrics: { input: LyricsInput; output: LyricsOutput };
  image: { input: ImageInput; output: ImageOutput };
  chat: { input: DeferredInput; output: DeferredOutput };
  speech: { input: DeferredInput; output: DeferredOutput };
  transcription: { input: DeferredInput; output: DeferredOutput };
};
export type TaskKind = keyof Work;
export const mediaKinds = ["video", "music", "lyrics", "image"] as const satisfies readonly TaskKind[];
/** Kinds of task that upstreams know as tasks. */
export type MediaKind = (typeof mediaKinds)[number];
export const deferredKinds = ["chat", "speech", "transcription"] as const satisfies readonly TaskKind[];
/** Kinds of task that are calls for which nobody waits. */
export type DeferredKind = (typeof deferredKinds)[number];
export const taskKinds = [...mediaKinds, ...deferredKinds] as const satisfies readonly TaskKind[];
export type TaskInput = { [K in TaskKind]: { kind: K; input: Work[K]["input"] } }[TaskKind];
export type MediaInput = Extract<TaskInput, { kind: MediaKind }>;
export type TaskOutput = Work[TaskKind]["output"];

/** Whether a task is a call for which nobody waits. */
export function isDeferred(task: TaskInput): task is Extract<TaskInput, { kind: DeferredKind }> {
  return deferredKinds.some((kind) => kind === task.kind);
}

/** The work alone of something that carries more. */
export function workOf(task: TaskInput): TaskInput {
  if (isDeferred(task)) return { kind: task.kind, input: task.input };
  if (task.kind === "video") return { kind: task.kind, input: task.input };
  if (task.kind === "music") return { kind: task.kind, input: task.input };
  if (task.kind === "image") return { kind: task.kind, input: task.input };
  return { kind: task.kind, input: task.input };
}
