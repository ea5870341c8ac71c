import { fork, spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";

export type Child = {
  pid: number;
  /** What it said last on its error output. */ lastWords(): string;
  hasEnded(): boolean;
  stop(): Promise<void>;
};

export type ChildOptions = { cwd?: string; env?: Record<string, string> };

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

/** Starts a program that lives no longer than this process. */
export function startChild(command: string, args: readonly string[], { cwd, env = {} }: ChildOptions = {}): Child {
  const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
  return keep(spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio }));
}

/** Starts a module on the same Node; it tells the port it listens on. */
export async function startModule(file: URL, args: readonly string[]): Promise<Child & { port: number }> {
  const own = fork(file, args, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const child = keep(own);
  const told = await Promise.race([once(own, "message"), once(own, "exit").then(() => null)]);
  if (told === null) throw new Error(`${file.pathname} did not start: ${child.lastWords()}`);
  return { ...child, port: (told as [{ port: number }])[0].port };
}

/** Runs a program to its end; throws with its last words when it fails or takes too long. */
export async function runToEnd(command: string, args: readonly string[], options: ChildOptions & { withinMs: number }): Promise<void> {
  const own = spawn(command, args, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: ["ignore", "pipe", "pipe"] });
  const child = keep(own);
  const timer = setTimeout(() => own.kill("SIGKILL"), options.withinMs);
  const [code, signal] = (await once(own, "close")) as [number | null, string | null];
  clearTimeout(timer);
  if (signal !== null) throw new Error(`${command} was not done after ${options.withinMs / 1000} s`);
  if (code !== 0) throw new Error(child.lastWords() || `${command} ended with ${code}`);
}

export function findOnPath(program: string): string | null {
  const places = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, program));
  return places.find(isExecutable) ?? null;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function keep(child: ChildProcess): Child {
  let words = "";
  running.add(child);
  child.once("exit", () => running.delete(child));
  // A program that cannot be started ends without an exit.
  child.once("error", (error) => (words += `${error.message}\n`));
  child.stdout?.resume();
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (words = (words + text).slice(-4_000)));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    lastWords: () => words.trim().split("\n").filter(Boolean).slice(-2).join(" ").slice(0, 300),
    hasEnded,
    async stop() {
      if (hasEnded()) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
