import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program of the system that ends when this process does, however that ends. */
export type KeptProgram = {
  pid: number;
  hasEnded(): boolean;
  ended: Promise<void>;
  /** Asks it to end, and returns when it has. */
  stop(): Promise<void>;
};

export type ProgramOptions = { command: string; args: readonly string[]; logFile: string; user?: { uid: number; gid: number } };

// The shell reads its stdin to the end, which comes with `stop` or with the death of this process.
const keeper = `
exec 3<&0
"$@" </dev/null 3<&- >&2 &
program=$!
echo $program
{ cat <&3 >/dev/null; kill -INT $program; } 2>/dev/null &
watch=$!
wait $program
kill $watch 2>/dev/null`;

export async function startProgram({ command, args, logFile, user }: ProgramOptions): Promise<KeptProgram> {
  const log = openSync(logFile, "a");
  const shell = spawn("sh", ["-c", keeper, "sh", command, ...args], { ...user, cwd: "/", stdio: ["pipe", "pipe", log] });
  closeSync(log);
  const { stdin, stdout } = shell;
  if (stdin === null || stdout === null) throw new Error("a pipe is missing");
  stdin.on("error", () => undefined);
  const ended = once(shell, "exit").then(() => void stdin.end());
  const [line] = await once(stdout.setEncoding("utf8"), "data");
  return {
    pid: Number(line),
    hasEnded: () => shell.exitCode !== null || shell.signalCode !== null,
    ended,
    async stop() {
      stdin.end();
      await ended;
    },
  };
}

/** Where a program of the system is; null where it is not installed. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
