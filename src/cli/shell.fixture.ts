import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { Variables } from "../config/source.ts";
import { runCommandLine } from "./command-line.ts";
import type { Shell } from "./shell.ts";

export type TestShell = Shell & { printed: string[]; noted: string[]; drawn: string[]; interrupt(): void };

export type TestShellOptions = { env?: Variables; cwd?: string; isTerminal?: boolean; onNote?: (line: string, shell: TestShell) => void };

/** A shell whose output is kept, and whose Ctrl-C is a function. */
export function testShell({ env = {}, cwd = tmpdir(), isTerminal = false, onNote }: TestShellOptions = {}): TestShell {
  const acts = new Set<() => void>();
  const shell: TestShell = {
    env,
    cwd,
    printed: [],
    noted: [],
    drawn: [],
    now: () => 1_800_000_000_000,
    print: (line) => void shell.printed.push(line),
    note(line) {
      shell.noted.push(line);
      onNote?.(line, shell);
    },
    screen: { isTerminal, columns: () => 80, write: (text) => void shell.drawn.push(text) },
    paint: (_colour, text) => text,
    onInterrupt(act) {
      acts.add(act);
      return () => void acts.delete(act);
    },
    interrupt: () => acts.forEach((act) => act()),
  };
  return shell;
}

export type Outcome = { code: number; printed: string; noted: string };

/** Runs a command line and answers all that it said. */
export async function runLine(args: readonly string[], options: TestShellOptions = {}): Promise<Outcome> {
  const shell = testShell(options);
  const code = await runCommandLine(args, shell);
  return { code, printed: shell.printed.join("\n"), noted: shell.noted.join("\n") };
}

/** Runs with a new folder that is gone afterwards. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "genway-cli-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs beside a server on this machine. */
export async function withServer<T>(listener: RequestListener, run: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    return await run(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The JSON that a request brings. */
export function bodyOf(request: IncomingMessage): Promise<unknown> {
  return json(request);
}

/** A task as the service shows it. */
export function taskRecord(changes: object = {}) {
  return {
    id: "task-1",
    kind: "music",
    model: "m",
    status: "IN_PROGRESS",
    progress: 0,
    created_at: 1,
    started_at: null,
    finished_at: null,
    cost_usd: 0,
    error: null,
    assets: [],
    result: null,
    ...changes,
  };
}
