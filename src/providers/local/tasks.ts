import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { LyricsInput, MusicInput, SongSource, TaskOutput } from "../../core/kinds.ts";
import type { Job, Started, TaskProvider, Work } from "../../core/provider.ts";
import { hashText } from "../../engines/chance.ts";
import { EngineError } from "../../engines/engine-error.ts";
import type { Engines } from "../../engines/engines.ts";
import type { SongOrigin } from "../../engines/job.ts";
import { refusalOf } from "./failure.ts";
import { generateImages, localImageActs } from "./image-task.ts";
import { generateVideo, localVideoLimits } from "./video-task.ts";

export type LocalTaskOptions = {
  engines: Engines;
  /** Holds one folder per attempt at a task, `<taskId>-<attempt>`, which whoever collects the output removes; and one per call. */
  workDir: string;
  /** How long a song should be, about. */
  songSeconds?: number;
};

/** The long work of the built-in generators. */
export function createLocalTasks(options: LocalTaskOptions): TaskProvider {
  return {
    serves: {
      video: () => localVideoLimits,
      music: () => ({}),
      lyrics: () => ({}),
      image: () => ({ acts: localImageActs, count: 10 }),
    },
    recovery: "repeat",
    lanes: "per-kind",
    pollEveryMs: 1000,
    async start(job, work) {
      const folder = resolve(options.workDir, `${job.taskId}-${job.attempt}`);
      try {
        // A repeat of this attempt finds what a crash left behind.
        await rm(folder, { recursive: true, force: true });
        const output = await generate(options, job, folder, work);
        return { state: "done", output, discard: () => rm(folder, { recursive: true, force: true }) };
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        return explain(error, work.signal);
      }
    },
  };
}

async function generate({ engines, songSeconds }: LocalTaskOptions, job: Job, folder: string, work: Work): Promise<TaskOutput> {
  // Our own seed follows from the task, so that a repeat makes the same again and another task something else.
  const seed = hashText(job.taskId) & 0x7fffffff;
  switch (job.kind) {
    case "video":
      return generateVideo(engines, job.input, seed, folder, work);
    case "music":
      return generateMusic(engines, { ...job.input, seed: job.input.seed ?? seed }, songSeconds, folder, work);
    case "lyrics":
      return generateLyrics(engines, job.input, seed);
    case "image":
      return generateImages(engines, job.input, seed, folder, work);
    default:
      throw new EngineError("invalid", "The built-in generators make no such thing as a task.");
  }
}

async function generateMusic(
  engines: Engines,
  input: MusicInput,
  lengthSeconds: number | undefined,
  outDir: string,
  work: Work,
): Promise<TaskOutput> {
  const { description, lyrics, title, tags, instrumental, seed, continues } = input;
  const wishes = { description, lyrics, title, tags, instrumental, seed, lengthSeconds, continues: continues && originOf(continues) };
  const { songs } = await engines.run({ engine: "music", outDir, ...wishes }, { signal: work.signal, onProgress: work.report });
  return {
    kind: "music",
    songs: songs.map(({ audioPath, coverPath, ...song }) => ({
      ...song,
      upstreamId: null,
      audio: fileAt(audioPath),
      image: fileAt(coverPath),
    })),
  };
}

function originOf({ song, atSeconds, direction }: SongSource): SongOrigin {
  return { ...song, atSeconds, direction };
}

async function generateLyrics(engines: Engines, input: LyricsInput, seed: number): Promise<TaskOutput> {
  const { title, text, tags } = await engines.run({ engine: "lyrics", prompt: input.prompt, seed });
  return { kind: "lyrics", title, text, tags };
}

function fileAt(path: string): { from: "path"; path: string } {
  return { from: "path", path };
}

function explain(error: unknown, signal: AbortSignal): Started {
  // The service is stopping, not the job: with recovery by repeating it simply starts again later.
  if (!signal.aborted && error instanceof EngineError && error.reason === "closed") return { state: "unknown", cause: error.message };
  return { state: "refused", refusal: refusalOf(error, signal) };
}
