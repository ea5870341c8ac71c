/** What each built-in generator is asked for and what it yields; plain data, since it crosses a process border. */

export type VideoJob = {
  engine: "video";
  /** The job's own folder: made when absent, removed with everything in it when the job fails. */
  outDir: string;
  prompt: string;
  seed?: number;
  durationSeconds: number;
  aspectRatio: { width: number; height: number };
  /** A PNG, JPEG, WebP or GIF file to animate. */
  imagePath?: string;
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

/** The generators by name, each with its job and its result. */
export type EngineTable = {
  video: { job: VideoJob; result: VideoResult };
  music: { job: MusicJob; result: MusicResult };
  lyrics: { job: LyricsJob; result: LyricsResult };
};
export type EngineName = keyof EngineTable;
export type EngineJob = EngineTable[EngineName]["job"];
export type EngineResult = EngineTable[EngineName]["result"];

/** The generators that are heavy enough to need a process of their own. */
export type HeavyEngine = "video" | "music";
export type HeavyJob = EngineTable[HeavyEngine]["job"];

/** Whole per cent, 0 to 100. */
export type Report = (progress: number) => void;
export type RunOptions = { signal?: AbortSignal; onProgress?: Report };
