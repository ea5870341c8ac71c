import { stripVTControlCharacters } from "node:util";
import { ConfigError } from "../config/config.ts";
import { Failure } from "../core/errors.ts";
import { errorCode } from "../kit/error-code.ts";

/** A command could not do its work; the message is for whoever typed it. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(says: string, { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(says, { cause });
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** The command line itself is wrong; `command` is the one whose help would tell. */
export class UsageError extends CommandError {
  constructor(says: string, command = "") {
    super(`${says}\nSee: genway help${command === "" ? "" : ` ${command}`}`, { exitCode: 2 });
    this.name = "UsageError";
  }
}

export const interruptedCode = 130;

/** The one place where what was thrown becomes a message and an exit code. */
export function explainFailure(thrown: unknown): { says: string; exitCode: number } {
  if (thrown instanceof CommandError) return { says: thrown.message, exitCode: thrown.exitCode };
  if (thrown instanceof ConfigError || thrown instanceof Failure) return { says: thrown.message, exitCode: 1 };
  if (!(thrown instanceof Error)) return { says: String(thrown), exitCode: 1 };
  const code = errorCode(thrown);
  if (code === "EADDRINUSE") return { says: portTaken(thrown), exitCode: 1 };
  if (code.startsWith("ERR_PARSE_ARGS")) return { says: thrown.message, exitCode: 2 };
  // What the system refuses, and what was thrown with a sentence and its cause, explain themselves; the rest is a bug, and its place helps.
  const isExplained = "syscall" in thrown || thrown.cause !== undefined;
  return { says: isExplained ? thrown.message : (thrown.stack ?? thrown.message), exitCode: 1 };
}

function portTaken(error: Error): string {
  const port = "port" in error ? ` ${String(error.port)}` : "";
  return `Port${port} is taken by another program: stop it, or set PORT to another one (PORT=0 picks a free one).`;
}

/** Text from elsewhere made safe for a terminal: one line, and nothing that steers it. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}
