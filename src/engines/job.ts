/** What each built-in generator is asked for and what it yields; plain data, since it crosses a process border. */

export type VideoJob = {
  engine: "video";
  /** The job's own folder: made when absent, removed with everything in it when the job fails. */
  outDir: string;
  prompt: string;
  seed?: number;
  durationSeconds: number;
  aspectRatio: { width: number; height: number };
  /** Pixels of the shorter side, as far as the length allows; absent: as many as are quick to draw. */
  shortSide?: number;
  /** A PNG, JPEG, WebP or GIF file to animate. */
  imagePath?: string;
  /** A picture that the film ends on. */
  lastImagePath?: string;
  /** The end passes over into the beginning. */
  loop?: boolean;
  /** A finished film: to go on from (the result begins with it, and `durationSeconds` come after), or to make anew after the prompt. */
  source?: { act: "extend" | "remix"; path: string };
};

export type VideoResult = {
  engine: "video";
  videoPath: string;
  coverPath: string;
  durationSeconds: number;
  width: number;
  height: number;
};

/** The song that a continuation joins, as far as its maker needs to know it. */
export type SongOrigin = {
  title: string;
  tags: string;
  lyrics: string;
  seed: number | null;
  durationSeconds: number;
  atSeconds: number;
  direction: "after" | "before";
};

export type MusicJob = {
  engine: "music";
  /** The job's own folder: made when absent, removed with everything in it when the job fails. */
  outDir: string;
  description?: string;
  lyrics?: string;
  title?: string;
  tags?: string;
  instrumental: boolean;
  seed?: number;
  continues?: SongOrigin;
  /** How long each song should be, about; whole bars decide. */
  lengthSeconds?: number;
  /** How many songs to make, each from its own seed. */
  variations?: number;
};

export type SongResult = {
  audioPath: string;
  coverPath: string;
  title: string;
  tags: string;
  lyrics: string;
  durationSeconds: number;
  seed: number;
};

export type MusicResult = { engine: "music"; songs: SongResult[] };

export type LyricsJob = { engine: "lyrics"; prompt: string; seed?: number };
export type LyricsResult = { engine: "lyrics"; title: string; text: string; tags: string[] };

/** Text that goes on from a prompt, or the next turn of a conversation. */
export type TextJob = {
  engine: "text";
  /** The job's own folder, which the engine does not need; kept alike for all. */
  outDir: string;
  /** A GGUF file; absent: the small model that comes with the packages. */
  modelPath?: string;
  /** Where a converted model is kept between starts. */
  cacheDir: string;
  ask: { prompts: (string | number[])[]; suffix?: string } | { messages: { role: "system" | "user" | "assistant"; text: string }[] };
  /** Choices for each prompt; of `bestOf` made, the likeliest `choices` are given. */
  choices: number;
  bestOf: number;
  maxTokens: number;
  temperature: number;
  topP: number;
  seed?: number;
  stop: string[];
  frequencyPenalty: number;
  presencePenalty: number;
  /** By token id, -100 to 100. */
  logitBias: Record<string, number>;
  /** Alternatives to tell for each token; null tells no probabilities. */
  alternatives: number | null;
  /** Tell the prompt's own text and probabilities before what follows it. */
  echo: boolean;
};

/** One token with its natural-log probability over the whole vocabulary; `bytes` is its exact text. */
export type TokenChance = {
  text: string;
  bytes: number[];
  logprob: number | null;
  top: { text: string; bytes: number[]; logprob: number }[];
};

/** A part of one choice, as soon as it is certain that it belongs to it. */
export type TextPiece = { choice: number; text: string; tokens?: TokenChance[] };

export type TextResult = {
  engine: "text";
  /** The name of the model that answered. */
  model: string;
  /** Prompt by prompt, each with its choices; `text` includes an echoed prompt. */
  choices: { text: string; finish: "stop" | "length"; tokens?: TokenChance[] }[];
  promptTokens: number;
  completionTokens: number;
};

export type EmbeddingJob = { engine: "embedding"; outDir: string; texts: string[] };
/** Vectors of length 1; `tokens` counts all texts together. */
export type EmbeddingResult = { engine: "embedding"; vectors: number[][]; tokens: number };

export const speechFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
export type SpeechFormat = (typeof speechFormats)[number];

export type SpeechJob = {
  engine: "speech";
  outDir: string;
  text: string;
  voice: string;
  /** 0.25 to 4. */ speed: number;
  format: SpeechFormat;
};
export type SpeechResult = { engine: "speech"; path: string; mime: string; durationSeconds: number };

export type TranscriptionJob = {
  engine: "transcription";
  outDir: string;
  /** A flac, mp3, mp4, m4a, ogg, wav or webm file. */
  path: string;
  /** An ISO 639-1 code; absent: found out. */
  language?: string;
  prompt?: string;
  temperature: number;
  words: boolean;
  /** Into English. */
  translate: boolean;
};

export type TranscriptionResult = {
  engine: "transcription";
  language: string;
  durationSeconds: number;
  text: string;
  segments: {
    start: number;
    end: number;
    text: string;
    tokens: number[];
    averageLogprob: number;
    compressionRatio: number;
    noSpeechProbability: number;
  }[];
  words: { word: string; start: number; end: number }[];
};

/** What can be done with sources beside editing or varying them: only `describe` gives texts instead of pictures. */
export type ImageWay =
  | { kind: "blend" }
  /** The first source as it is, at the size of the job; `detail` from 0 to 1 says how crisp. */
  | { kind: "upscale"; detail: number }
  /** The first source within a larger view; shares of the frame say where it lies. */
  | { kind: "surround"; place: { left: number; top: number; width: number; height: number } }
  | { kind: "describe" };

export type ImageJob = {
  engine: "image";
  outDir: string;
  prompt: string;
  seed?: number;
  /** Pixels, 64 to 4096 each. */
  width: number;
  height: number;
  count: number;
  format: "png" | "jpeg" | "webp";
  /** 1 to 100, where the format has it. */
  quality: number;
  transparent: boolean;
  /** Pictures to work on; without a prompt a variation of the first. */
  sourcePaths: string[];
  /** A picture that says where to paint: its transparent pixels, or where it has none, its white ones. */
  maskPath?: string;
  /** 0 to 1: how far an edit or a variation may go from its source. */
  strength?: number;
  way?: ImageWay;
};

export type ImageResult = {
  engine: "image";
  images: { path: string; mime: string; width: number; height: number; seed: number }[];
  /** What a picture shows, in words. */
  texts?: string[];
};

/** The generators by name, each with its job and its result. */
export type EngineTable = {
  video: { job: VideoJob; result: VideoResult };
  music: { job: MusicJob; result: MusicResult };
  lyrics: { job: LyricsJob; result: LyricsResult };
  text: { job: TextJob; result: TextResult };
  embedding: { job: EmbeddingJob; result: EmbeddingResult };
  speech: { job: SpeechJob; result: SpeechResult };
  transcription: { job: TranscriptionJob; result: TranscriptionResult };
  image: { job: ImageJob; result: ImageResult };
};
export type EngineName = keyof EngineTable;
export type EngineJob = EngineTable[EngineName]["job"];
export type EngineResult = EngineTable[EngineName]["result"];

/** The generators that are heavy enough to need a process of their own. */
export const heavyEngines = [
  "video",
  "music",
  "text",
  "embedding",
  "speech",
  "transcription",
  "image",
] as const satisfies readonly EngineName[];
export type HeavyEngine = (typeof heavyEngines)[number];
export type HeavyJob = EngineTable[HeavyEngine]["job"];

/** Whole per cent, 0 to 100. */
export type Report = (progress: number) => void;
export type RunOptions = {
  signal?: AbortSignal;
  onProgress?: Report;
  /** Hears the parts of a text as they come. */
  onPiece?: (piece: TextPiece) => void;
};
