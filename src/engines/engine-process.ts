import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { EngineError } from "./engine-error.ts";
import { memoryMark, readChildMessage, type ChildMessage } from "./message.ts";
import type { HeavyJob, Report, RunOptions } from "./job.ts";

export type ProcessOptions = { workDir: string; memoryLimitBytes: number; stallMs: number };

/** A running child of one engine: does one job at a time, and is dead after any job that was ended by force. */
export type EngineProcess = {
  readonly pid: number | undefined;
  readonly alive: boolean;
  readonly jobsTaken: number;
  work(job: HeavyJob, options: RunOptions): Promise<unknown>;
  /** Resolves when the process is gone. */
  end(because?: EngineError): Promise<void>;
};

type Pending = { resolve(result: unknown): void; reject(error: EngineError): void; onProgress: Report };

const keptLines = 20;
// A gateway's environment holds keys; an engine needs none of them.
const passedOn = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG", "TZ", "SystemRoot", "NODE_COMPILE_CACHE", "NODE_WEBCODECS_FORCE"];

export function startEngineProcess(options: ProcessOptions): EngineProcess {
  const child = forkChild(options);
  const noise = keepLastLines(child);
  let pending: Pending | null = null;
  let endedBecause: EngineError | null = null;
  let alive = true;
  let jobsTaken = 0;
  let stall: NodeJS.Timeout | undefined;
  const ready = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();

  child.on("message", (value) => receive(readChildMessage(value)));
  child.on("error", (error) => bury(new EngineError("crashed", "The generator's process could not be reached.", error)));
  child.on("close", (code, signal) => bury(endedBecause ?? explainEnd(noise, code, signal)));

  function receive(message: ChildMessage | null): void {
    if (message === null) return;
    stall?.refresh();
    if (message.type === "ready") ready.resolve();
    else if (message.type === "progress") pending?.onProgress(message.progress);
    else if (message.type === "done") finish((job) => job.resolve(message.result));
    else finish((job) => job.reject(new EngineError(message.reason, message.says, message.detail)));
  }

  function finish(settle: (job: Pending) => void): void {
    const job = pending;
    pending = null;
    clearTimeout(stall);
    holdLoop(child, false);
    if (job !== null) settle(job);
  }

  function bury(error: EngineError): void {
    alive = false;
    finish((job) => job.reject(error));
    gone.resolve();
  }

  function kill(because: EngineError | null): void {
    endedBecause ??= because;
    child.kill("SIGKILL");
  }

  async function work(job: HeavyJob, { signal, onProgress }: RunOptions): Promise<unknown> {
    jobsTaken++;
    const outcome = Promise.withResolvers<unknown>();
    pending = { resolve: outcome.resolve, reject: outcome.reject, onProgress: onProgress ?? (() => {}) };
    holdLoop(child, true);
    stall = setTimeout(() => kill(new EngineError("stalled", "The generator stopped making progress.")), options.stallMs).unref();
    const abort = (): void => kill(new EngineError("cancelled", "The job was cancelled."));
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
    void ready.promise.then(() => alive && child.send(job));
    return outcome.promise.finally(() => signal?.removeEventListener("abort", abort));
  }

  return {
    pid: child.pid,
    get alive() {
      return alive && endedBecause === null && child.connected;
    },
    get jobsTaken() {
      return jobsTaken;
    },
    work,
    end(because) {
      if (alive) kill(because ?? null);
      return gone.promise;
    },
  };
}

function forkChild({ workDir, memoryLimitBytes }: ProcessOptions): ChildProcess {
  const here = import.meta.url;
  const entry = new URL(`./child${extname(fileURLToPath(here))}`, here);
  const env: NodeJS.ProcessEnv = {};
  for (const name of passedOn) if (process.env[name] !== undefined) env[name] = process.env[name];
  const child = fork(entry, [String(process.pid), String(memoryLimitBytes)], {
    cwd: workDir,
    env,
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  holdLoop(child, false);
  return child;
}

/** An idle child must not keep the gateway's process alive; a working one must, or its awaited result would never come. */
function holdLoop(child: ChildProcess, hold: boolean): void {
  for (const handle of [child, child.channel, child.stdout, child.stderr]) {
    // Pipes of a child are sockets, which the stream type does not tell.
    if (hold) {
      if (handle && "ref" in handle && typeof handle.ref === "function") handle.ref();
    } else if (handle && "unref" in handle && typeof handle.unref === "function") handle.unref();
  }
}

function keepLastLines(child: ChildProcess): string[] {
  const lines: string[] = [];
  const keep = (text: string): void => {
    for (const line of text.split("\n")) if (line.trim() !== "") lines.push(line.slice(0, 500));
    lines.splice(0, lines.length - keptLines);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", keep);
  return lines;
}

function explainEnd(noise: string[], code: number | null, signal: string | null): EngineError {
  const cause = `exit code ${code}, signal ${signal}\n${noise.join("\n")}`;
  if (noise.some((line) => line.includes(memoryMark)))
    return new EngineError("memory", "The generator needed more memory than it may use.", cause);
  return new EngineError("crashed", "The generator's process ended unexpectedly.", cause);
}
