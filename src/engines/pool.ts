import { mkdir, rm } from "node:fs/promises";
import { EngineError } from "./engine-error.ts";
import { startEngineProcess, type EngineProcess, type ProcessOptions } from "./engine-process.ts";
import type { HeavyJob, RunOptions } from "./job.ts";

export type PoolOptions = ProcessOptions & { concurrency: number; jobsPerProcess: number; idleMs: number };

/** The processes of one engine: started when needed, kept warm, replaced when worn; jobs beyond their number wait in line. */
export type Pool = {
  run(job: HeavyJob, options: RunOptions): Promise<unknown>;
  pids(): number[];
  close(): Promise<void>;
};

type Seat = { process: EngineProcess | null; idle: NodeJS.Timeout | undefined };
type Waiting = { take(seat: Seat): void; refuse(error: EngineError): void };

export function createPool(options: PoolOptions): Pool {
  const seats: Seat[] = Array.from({ length: options.concurrency }, () => ({ process: null, idle: undefined }));
  const free = [...seats];
  const line: Waiting[] = [];
  let closed = false;

  async function run(job: HeavyJob, runOptions: RunOptions): Promise<unknown> {
    const seat = await takeSeat(runOptions.signal);
    try {
      await mkdir(job.outDir, { recursive: true });
      return await warm(seat).then((process) => process.work(job, runOptions));
    } catch (error) {
      await rm(job.outDir, { recursive: true, force: true });
      throw error;
    } finally {
      await retire(seat);
      giveBack(seat);
    }
  }

  function takeSeat(signal: AbortSignal | undefined): Promise<Seat> {
    if (closed) return Promise.reject(new EngineError("closed", "The generators are shut down."));
    if (signal?.aborted === true) return Promise.reject(cancelled());
    // The last one used is the warm one.
    const seat = free.pop();
    if (seat !== undefined) return Promise.resolve(seat);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.splice(line.indexOf(waiting), 1);
        reject(cancelled());
      };
      const waiting: Waiting = {
        take(next) {
          signal?.removeEventListener("abort", leave);
          resolve(next);
        },
        refuse(error) {
          signal?.removeEventListener("abort", leave);
          reject(error);
        },
      };
      line.push(waiting);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  async function warm(seat: Seat): Promise<EngineProcess> {
    clearTimeout(seat.idle);
    if (seat.process?.alive === true) return seat.process;
    await mkdir(options.workDir, { recursive: true });
    if (closed) throw new EngineError("closed", "The generators are shut down.");
    seat.process = startEngineProcess(options);
    return seat.process;
  }

  async function retire(seat: Seat): Promise<void> {
    const worn = seat.process;
    if (worn === null || (worn.alive && worn.jobsTaken < options.jobsPerProcess)) return;
    seat.process = null;
    await worn.end();
  }

  function giveBack(seat: Seat): void {
    const next = line.shift();
    if (next !== undefined) return next.take(seat);
    free.push(seat);
    seat.idle = setTimeout(() => void seat.process?.end(), options.idleMs).unref();
  }

  return {
    run,
    pids: () => seats.flatMap((seat) => (seat.process?.alive === true ? (seat.process.pid ?? []) : [])),
    async close() {
      closed = true;
      const error = new EngineError("closed", "The generators are shut down.");
      for (const waiting of line.splice(0)) waiting.refuse(error);
      for (const seat of seats) clearTimeout(seat.idle);
      await Promise.all(seats.map((seat) => seat.process?.end(error)));
    },
  };
}

function cancelled(): EngineError {
  return new EngineError("cancelled", "The job was cancelled.");
}
