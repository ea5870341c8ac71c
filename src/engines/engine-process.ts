import type { ChildProcess } from "node:child_process";
import { forkEngine, holdLoop, keepLastLines } from "./engine-fork.ts";
import { EngineError } from "./engine-error.ts";
import { memoryMark, readChildMessage, stopMessage, type ChildMessage } from "./message.ts";
import type { HeavyJob, Report, RunOptions, TextPiece } from "./job.ts";

export type ProcessOptions = {
  workDir: string;
  memoryLimitBytes: number;
  stallMs: number;
  /** True for an engine that ends a job when it is asked to, and so survives a cancel. */
  obeysStop: boolean;
};

const stopWithinMs = 1000;

type Pending = {
  resolve(result: unknown): void;
  reject(error: EngineError): void;
  onProgress: Report;
  onPiece: (piece: TextPiece) => void;
  sent: boolean;
};

/** A running child of one engine: does one job at a time, and is dead after any job that was ended by force. */
export class EngineProcess {
  jobsTaken = 0;
  readonly #child: ChildProcess;
  readonly #noise: string[];
  readonly #options: ProcessOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  #pending: Pending | null = null;
  #endedBecause: EngineError | null = null;
  #running = true;
  #stall: NodeJS.Timeout | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#child = forkEngine(options.workDir, options.memoryLimitBytes);
    this.#noise = keepLastLines(this.#child);
    this.#child.on("message", (value) => this.#receive(readChildMessage(value)));
    this.#child.on("error", (error) => this.#bury(new EngineError("crashed", "The generator's process could not be reached.", error)));
    this.#child.on("close", (code, signal) => this.#bury(this.#endedBecause ?? explainEnd(this.#noise, code, signal)));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** False as soon as it cannot take another job. */
  get alive(): boolean {
    return this.#running && this.#endedBecause === null && this.#child.connected;
  }

  async work(job: HeavyJob, { signal, onProgress, onPiece }: RunOptions): Promise<unknown> {
    this.jobsTaken++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const pending: Pending = { resolve, reject, onProgress: onProgress ?? (() => {}), onPiece: onPiece ?? (() => {}), sent: false };
    this.#pending = pending;
    holdLoop(this.#child, true);
    const stalled = new EngineError("stalled", "The generator stopped making progress.");
    this.#stall = setTimeout(() => this.#kill(stalled), this.#options.stallMs).unref();
    const abort = (): void => this.#cancel(pending);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
    void this.#ready.promise.then(() => {
      if (!this.alive || this.#pending !== pending) return;
      pending.sent = true;
      this.#child.send(job);
    });
    return promise.finally(() => signal?.removeEventListener("abort", abort));
  }

  /** Resolves when the process is gone; a job that still ran is refused. */
  end(because?: EngineError): Promise<void> {
    if (this.#running) {
      // Whoever awaits the end must not find the event loop empty before it came.
      holdLoop(this.#child, true);
      this.#kill(because ?? new EngineError("closed", "The generator's process was ended."));
    }
    return this.#gone.promise;
  }

  #receive(message: ChildMessage | null): void {
    if (message === null) return;
    this.#stall?.refresh();
    if (message.type === "ready") this.#ready.resolve();
    else if (message.type === "alive") return;
    else if (message.type === "progress") this.#pending?.onProgress(message.progress);
    else if (message.type === "piece") this.#pending?.onPiece(message.piece);
    else if (message.type === "done") this.#finish((job) => job.resolve(message.result));
    else this.#finish((job) => job.reject(new EngineError(message.reason, message.says, message.detail)));
  }

  #cancel(job: Pending): void {
    if (this.#pending !== job) return;
    const cancelled = new EngineError("cancelled", "The job was cancelled.");
    if (!this.#options.obeysStop) return this.#kill(cancelled);
    if (!job.sent) return this.#finish(() => job.reject(cancelled));
    // It may be finished at this very moment; whatever comes now is of no use to anybody.
    Object.assign(job, { resolve: () => job.reject(cancelled), onProgress: () => {}, onPiece: () => {} });
    this.#child.send(stopMessage);
    this.#patience = setTimeout(() => this.#kill(cancelled), stopWithinMs).unref();
  }

  #finish(settle: (job: Pending) => void): void {
    const job = this.#pending;
    this.#pending = null;
    clearTimeout(this.#stall);
    this.#stall = undefined;
    clearTimeout(this.#patience);
    holdLoop(this.#child, false);
    if (job !== null) settle(job);
  }

  #kill(because: EngineError): void {
    this.#endedBecause ??= because;
    this.#child.kill("SIGKILL");
  }

  #bury(error: EngineError): void {
    this.#running = false;
    this.#finish((job) => job.reject(error));
    this.#gone.resolve();
  }
}

function explainEnd(noise: string[], code: number | null, signal: string | null): EngineError {
  const cause = `exit code ${code}, signal ${signal}\n${noise.join("\n")}`;
  if (noise.some((line) => line.includes(memoryMark))) {
    return new EngineError("memory", "The generator needed more memory than it may use.", cause);
  }
  return new EngineError("crashed", "The generator's process ended unexpectedly.", cause);
}
