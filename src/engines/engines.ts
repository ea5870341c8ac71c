import { EngineError } from "./engine-error.ts";
import { createPool, type Pool, type PoolOptions } from "./pool.ts";
import { writeLyrics } from "./lyrics/lyrics.ts";
import type { EngineJob, EngineName, EngineTable, HeavyEngine, RunOptions } from "./job.ts";

export type EngineOptions = {
  /** Where the processes live; made when absent. */
  workDir: string;
  /** Processes, and so jobs at a time, per engine. */
  concurrency?: number;
  /** Jobs that may wait for a process of their engine; more are refused. */
  mostWaiting?: number;
  /** What a process may use; by engine, where they differ. */
  memoryLimitBytes?: number | Partial<Record<HeavyEngine, number>>;
  /** After so many jobs a process is replaced by a fresh one. */
  jobsPerProcess?: number;
  /** A process without work is ended after this time. */
  idleMs?: number;
  /** A job that reports nothing for this long is given up. */
  stallMs?: number;
};

const loaded = { jobsPerProcess: 1000, idleMs: 300_000 };
const defaultMemoryLimitBytes = 1.5 * 2 ** 30;
const defaults = { concurrency: 1, mostWaiting: 100, jobsPerProcess: 20, idleMs: 60_000, stallMs: 120_000, obeysStop: false };

/** The built-in generators: each job ends in files of its folder and a result, or in an EngineError and no file. */
export type Engines = {
  run<J extends EngineJob>(job: J, options?: RunOptions): Promise<EngineTable[J["engine"]]["result"]>;
  /** The live processes of an engine. */
  pids(engine: HeavyEngine): number[];
  /** Ends every process; running and waiting jobs are refused. */
  close(): Promise<void>;
};

export function createEngines(options: EngineOptions): Engines {
  const pool = (engine: HeavyEngine, own: Partial<PoolOptions> = {}): Pool =>
    createPool({ ...defaults, ...own, ...options, memoryLimitBytes: memoryLimitOf(engine, options) });
  const pools: Record<HeavyEngine, Pool> = {
    video: pool("video"),
    music: pool("music"),
    // A trained model takes long to load and leaves nothing behind: its process stays.
    text: pool("text", { ...loaded, obeysStop: true }),
    embedding: pool("embedding", loaded),
    speech: pool("speech", loaded),
    transcription: pool("transcription", loaded),
    image: pool("image"),
  };
  return {
    async run(job, runOptions = {}) {
      const result = await perform(pools, job, runOptions);
      if (isResultOf(job, result)) return result;
      throw new EngineError("failed", "The generator gave no usable result.", JSON.stringify(result));
    },
    pids: (engine) => pools[engine].pids(),
    async close() {
      await Promise.all(Object.values(pools).map((one) => one.close()));
    },
  };
}

function memoryLimitOf(engine: HeavyEngine, { memoryLimitBytes: limit }: EngineOptions): number {
  return (typeof limit === "number" ? limit : limit?.[engine]) ?? defaultMemoryLimitBytes;
}

async function perform(pools: Record<HeavyEngine, Pool>, job: EngineJob, options: RunOptions): Promise<unknown> {
  // Lyrics are words put together in well under a millisecond: a process for them would be the heavy part.
  if (job.engine === "lyrics") return writeLyrics(job);
  return pools[job.engine].run(job, options);
}

function isResultOf<J extends EngineJob>(job: J, value: unknown): value is EngineTable[J["engine"]]["result"] {
  const engine: EngineName = job.engine;
  return typeof value === "object" && value !== null && "engine" in value && value.engine === engine;
}
