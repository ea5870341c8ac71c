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

export type VideoInput = {
  prompt: string;
  image?: InputFile;
  durationSeconds: number;
  /** Nobody asked for this duration: a model that cannot make it may take the nearest it can. */
  isDefaultDuration?: boolean;
  aspectRatio: { width: number; height: number };
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
  /** Further wishes of the dialect the request came in, by their wire names. */
  extras?: Record<string, string | number | boolean>;
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

/** Kinds that run as tasks, each with its input and its output. */
export type Work = {
  video: { input: VideoInput; output: VideoOutput };
  music: { input: MusicInput; output: MusicOutput };
  lyrics: { input: LyricsInput; output: LyricsOutput };
};
export type TaskKind = keyof Work;
export const taskKinds = ["video", "music", "lyrics"] as const satisfies readonly TaskKind[];
export type TaskInput = { [K in TaskKind]: { kind: K; input: Work[K]["input"] } }[TaskKind];
export type TaskOutput = Work[TaskKind]["output"];

/** The work alone of something that carries more. */
export function workOf(task: TaskInput): TaskInput {
  if (task.kind === "video") return { kind: task.kind, input: task.input };
  if (task.kind === "music") return { kind: task.kind, input: task.input };
  return { kind: task.kind, input: task.input };
}
