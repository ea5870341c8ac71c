import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findPostgres } from "../support/postgres.ts";

export type Said = { code: number | null; said: string };

/** Runs a program to its end. */
export async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const said = Promise.all([text(child.stdout), text(child.stderr)]).then((parts) => parts.join(""));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", async (code) => resolve({ code, said: await said }));
  });
}

/** A command of ours, as an operator types it. */
export function genway(command: string, env: Record<string, string>): Promise<Said> {
  return run(process.execPath, [join(import.meta.dirname, "../../src/cli/genway.ts"), command], env);
}

/** Where PostgreSQL's own programs for backups are; null where there are none. */
export function findBackupPrograms(): string | null {
  const bin = findPostgres()?.bin;
  return bin !== undefined && ["pg_dump", "pg_restore"].every((name) => existsSync(join(bin, name))) ? bin : null;
}
