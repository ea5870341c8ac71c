import type { Key } from "../../i18n/translate.ts";
import type { IconName } from "../../ui/icon.tsx";

export const media = ["music", "video", "images", "lyrics", "speech", "transcription", "chat", "completion", "embeddings"] as const;
export type Medium = (typeof media)[number];

export const mediumIcons: Record<Medium, IconName> = {
  music: "music",
  video: "video",
  images: "image",
  lyrics: "lyrics",
  speech: "speech",
  transcription: "transcript",
  chat: "chat",
  completion: "text",
  embeddings: "vectors",
};

/** One form of the playground: which create it sends, and how its fields are laid out. What each field is comes from the schema. */
export type Way = {
  id: string;
  medium: Medium;
  /** The path as the description of the service has it; `{model}` is filled in. */
  path: string;
  sends: "json" | "multipart";
  /** What comes back: a task to follow, or an answer at once. */
  gives: "task" | "chat" | "completion" | "vectors";
  /** Which models serve it; null when the model is no choice. */
  kind: string | null;
  /** The field that names the model; null when it is in the path. */
  modelField: string | null;
  usualModels: readonly string[];
  primary: readonly string[];
  /** Fields that make no sense here. */
  omit: readonly string[];
  needs: readonly string[];
  /** Fields of many lines. */
  long?: readonly string[];
  files?: Readonly<Record<string, "image" | "audio">>;
  suggest?: Readonly<Record<string, readonly string[]>>;
  /** Texts to begin with, the first of which is filled in. */
  examples?: { field: string; keys: readonly Key[] };
  /** What the form begins with besides. */
  prefill?: Readonly<Record<string, string | boolean>>;
  /** Sent always. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Whether `/v1/quote` knows its price beforehand. */
  isQuoted: boolean;
};

const hooks = ["notify_hook", "notifyHook", "callback_url", "webhook_url"];
const usual = { sends: "json", gives: "task", isQuoted: true } as const;
const music = {
  ...usual,
  medium: "music",
  path: "/musicA/submit/music",
  kind: "music",
  modelField: "mv",
  usualModels: ["chirp-v3-5", "chirp-v4"],
  long: ["gpt_description_prompt", "prompt"],
} as const;
const picture = { medium: "images", kind: "image", modelField: "model", usualModels: ["gpt-image-1", "dall-e-3"] } as const;
const sizes = { size: ["1024x1024", "1536x1024", "1024x1536", "512x512"] };
const form = { ...usual, sends: "multipart", fixed: { async: true } } as const;
const text = { ...usual, usualModels: ["local", "gpt-4o-mini"], modelField: "model" } as const;

export const ways: readonly Way[] = [
  {
    ...music,
    id: "inspiration",
    primary: ["gpt_description_prompt", "make_instrumental"],
    omit: [...hooks, "prompt", "title", "tags", "continue_clip_id", "continue_at", "task_id", "task", "negative_tags"],
    needs: ["gpt_description_prompt"],
    examples: {
      field: "gpt_description_prompt",
      keys: ["playground.example.song1", "playground.example.song2", "playground.example.song3"],
    },
  },
  {
    ...music,
    id: "custom",
    primary: ["title", "tags", "prompt", "make_instrumental"],
    omit: [...hooks, "gpt_description_prompt", "continue_clip_id", "continue_at", "task_id", "task"],
    needs: ["tags"],
    suggest: { tags: ["pop, upbeat, bright", "acoustic folk, warm", "lofi, mellow, piano", "rock, driving, electric guitar"] },
    examples: { field: "prompt", keys: ["playground.example.lyrics"] },
    prefill: { tags: "acoustic folk, warm" },
  },
  {
    ...music,
    id: "continuation",
    primary: ["continue_clip_id", "continue_at", "tags", "prompt", "title"],
    omit: [...hooks, "gpt_description_prompt", "task_id", "task"],
    needs: ["continue_clip_id"],
  },
  {
    ...usual,
    id: "video",
    medium: "video",
    path: "/custom_video/model/{model}",
    kind: "video",
    modelField: null,
    usualModels: ["local", "kling", "runway"],
    primary: ["prompt", "image", "duration", "aspect_ratio"],
    omit: hooks,
    needs: ["prompt"],
    long: ["prompt"],
    files: { image: "image" },
    suggest: { aspect_ratio: ["16:9", "9:16", "1:1", "4:3"] },
    examples: { field: "prompt", keys: ["playground.example.video1", "playground.example.video2"] },
    prefill: { duration: "4", aspect_ratio: "16:9" },
  },
  {
    ...usual,
    ...picture,
    id: "generate",
    path: "/v1/images/generations",
    primary: ["prompt", "size", "n"],
    omit: ["response_format", "stream", "user", "async"],
    needs: ["prompt"],
    long: ["prompt"],
    suggest: sizes,
    examples: { field: "prompt", keys: ["playground.example.picture1", "playground.example.picture2"] },
    fixed: { async: true },
  },
  {
    ...usual,
    id: "grid",
    medium: "images",
    path: "/imageA/submit/imagine",
    kind: null,
    modelField: null,
    usualModels: [],
    primary: ["prompt", "botType"],
    omit: [...hooks, "state", "accountFilter", "base64Array"],
    needs: ["prompt"],
    long: ["prompt"],
    examples: { field: "prompt", keys: ["playground.example.picture2", "playground.example.picture1"] },
  },
  {
    ...form,
    ...picture,
    id: "edit",
    path: "/v1/images/edits",
    primary: ["image", "prompt", "mask", "size"],
    omit: ["response_format"],
    needs: ["image", "prompt"],
    long: ["prompt"],
    files: { image: "image", mask: "image" },
    suggest: sizes,
  },
  {
    ...form,
    ...picture,
    id: "variation",
    path: "/v1/images/variations",
    primary: ["image", "n", "size"],
    omit: ["response_format", "mask", "prompt"],
    needs: ["image"],
    files: { image: "image" },
    suggest: sizes,
  },
  {
    ...usual,
    id: "lyrics",
    medium: "lyrics",
    path: "/musicA/submit/lyrics",
    kind: null,
    modelField: null,
    usualModels: [],
    primary: ["prompt"],
    omit: hooks,
    needs: ["prompt"],
    long: ["prompt"],
    examples: { field: "prompt", keys: ["playground.example.words1", "playground.example.words2"] },
  },
  {
    ...usual,
    id: "speech",
    medium: "speech",
    path: "/v1/audio/speech",
    kind: "speech",
    modelField: "model",
    usualModels: ["tts-1", "gpt-4o-mini-tts"],
    primary: ["input", "voice", "speed"],
    omit: ["stream_format", "async"],
    needs: ["input"],
    long: ["input"],
    suggest: { voice: ["alloy", "echo", "fable", "nova", "onyx", "shimmer"] },
    examples: { field: "input", keys: ["playground.example.speech1", "playground.example.speech2"] },
    prefill: { voice: "alloy" },
    fixed: { async: true },
  },
  {
    ...form,
    isQuoted: false,
    id: "transcription",
    medium: "transcription",
    path: "/v1/audio/transcriptions",
    kind: "transcription",
    modelField: "model",
    usualModels: ["whisper-1", "gpt-4o-transcribe"],
    primary: ["file", "language"],
    omit: ["async"],
    needs: ["file"],
    files: { file: "audio" },
    suggest: { language: ["en", "zh", "de", "fr", "es", "ja"] },
  },
  {
    ...text,
    id: "chat",
    medium: "chat",
    path: "/v1/chat/completions",
    gives: "chat",
    kind: "chat",
    primary: [],
    omit: ["messages", "max_tokens", "n", "logprobs", "stream", "stream_options", "user", "async", "tools"],
    needs: [],
    prefill: { max_completion_tokens: "256", top_logprobs: "5" },
    fixed: { stream: true, stream_options: { include_usage: true } },
  },
  {
    ...text,
    id: "completion",
    medium: "completion",
    path: "/v1/completions",
    gives: "completion",
    kind: "completion",
    primary: ["prompt", "max_tokens", "temperature", "logprobs"],
    omit: ["n", "best_of", "stream", "stream_options", "user"],
    needs: ["prompt"],
    long: ["prompt"],
    examples: { field: "prompt", keys: ["playground.example.story1", "playground.example.story2"] },
    prefill: { max_tokens: "80", logprobs: "5" },
    fixed: { stream: true, stream_options: { include_usage: true } },
  },
  {
    ...text,
    id: "embeddings",
    medium: "embeddings",
    path: "/v1/embeddings",
    gives: "vectors",
    kind: "embedding",
    primary: ["input"],
    omit: ["encoding_format", "user"],
    needs: ["input"],
    long: ["input"],
    examples: { field: "input", keys: ["playground.example.vectors"] },
  },
];

/** The ways of a medium, the usual one first. */
export function waysOf(medium: Medium): readonly Way[] {
  return ways.filter((way) => way.medium === medium);
}

/** The form that an address means; the first song unless it says otherwise. */
export function wayAt(medium: string | undefined, id: string | undefined): Way {
  const known = media.find((name) => name === medium) ?? "music";
  const all = waysOf(known);
  const way = all.find((each) => each.id === id) ?? all[0];
  if (way === undefined) throw new Error(`There is no way to make ${known}.`);
  return way;
}

export function wayLink(way: Way): string {
  return `/playground/${way.medium}/${way.id}`;
}
