import { mkdir, rm } from "node:fs/promises";
import { EngineError } from "./engine-error.ts";
import { EngineProcess, type ProcessOptions } from "./engine-process.ts";
import { createLine } from "./line.ts";
import type { HeavyJob, RunOptions } from "./job.ts";

export type PoolOptions = ProcessOptions & { concurrency: number; mostWaiting: number; jobsPerProcess: number; idleMs: number };

/** The processes of one engine: started when needed, kept warm, replaced when worn; jobs beyond their number wait in a line of bounded length. */
export type Pool = {
  run(job: HeavyJob, options: RunOptions): Promise<unknown>;
  pids(): number[];
  close(): Promise<void>;
};

type Seat = { process: EngineProcess | null; idle: NodeJS.Timeout | undefined };

export function createPool(options: PoolOptions): Pool {
  const seats: Seat[] = Array.from({ length: options.concurrency }, () => ({ process: null, idle: undefined }));
  const line = createLine(seats, options.mostWaiting);
  let closed = false;

  async function run(job: HeavyJob, runOptions: RunOptions): Promise<unknown> {
    const seat = await line.take(runOptions.signal);
    try {
      await mkdir(job.outDir, { recursive: true });
      const worker = await warm(seat);
      return await worker.work(job, runOptions);
    } catch (error) {
      await rm(job.outDir, { recursive: true, force: true });
      throw error;
    } finally {
      await retire(seat);
      line.giveBack(seat);
      if (line.isFree(seat)) seat.idle = setTimeout(() => void seat.process?.end(), options.idleMs).unref();
    }
  }

  async function warm(seat: Seat): Promise<EngineProcess> {
    clearTimeout(seat.idle);
    if (seat.process?.alive === true) return seat.process;
    await mkdir(options.workDir, { recursive: true });
    if (closed) throw shutDown();
    seat.process = new EngineProcess(options);
    return seat.process;
  }

  async function retire(seat: Seat): Promise<void> {
    const worn = seat.process;
    if (worn === null || (worn.alive && worn.jobsTaken < options.jobsPerProcess)) return;
    seat.process = null;
    await worn.end();
  }

  return {
    run,
    pids: () => seats.flatMap((seat) => (seat.process?.alive === true ? (seat.process.pid ?? []) : [])),
    async close() {
      closed = true;
      line.close(shutDown());
      for (const seat of seats) clearTimeout(seat.idle);
      await Promise.all(seats.flatMap((seat) => seat.process?.end(shutDown()) ?? []));
    },
  };
}

function shutDown(): EngineError {
  return new EngineError("closed", "The generators are shut down.");
}
