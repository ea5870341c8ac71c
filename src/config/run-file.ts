import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How the command line finds the running service, and shows that it may see the data folder. */
export type RunFile = { pid: number; url: string; token: string };

const fileName = "running.json";

/** Says where the service runs; readable by its owner alone. */
export function writeRunFile(dataDir: string, run: RunFile): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, fileName), JSON.stringify(run), { mode: 0o600 });
}

export function removeRunFile(dataDir: string): void {
  rmSync(join(dataDir, fileName), { force: true });
}

/** Null when no service has been started on this folder, or it has ended. */
export function readRunFile(dataDir: string): RunFile | null {
  try {
    const run: unknown = JSON.parse(readFileSync(join(dataDir, fileName), "utf8"));
    return isRunFile(run) ? run : null;
  } catch {
    return null;
  }
}

function isRunFile(value: unknown): value is RunFile {
  return typeof value === "object" && value !== null && "pid" in value && "url" in value && "token" in value;
}
