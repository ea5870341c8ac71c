import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, loadConfig, type Config, type Problem } from "./config.ts";
import type { AdapterFacts } from "./provider-entries.ts";
import type { Variables } from "./source.ts";

export const adapters: readonly AdapterFacts[] = [
  { type: "openai-compatible", needsKey: true },
  { type: "suno-relay", needsKey: true },
  { type: "runway", needsKey: true, defaultBaseUrl: "https://upstream.example/v1" },
  { type: "keyless", needsKey: false, defaultBaseUrl: "https://keyless.example" },
  { type: "local", needsKey: false },
];

/** Runs with a new folder that is gone afterwards. */
export async function inFolder<T>(run: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "genway-config-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Loads a text as ./genway.yaml. */
export function loadText(text: string, env: Variables = {}): Promise<Config> {
  return inFolder((folder) => {
    writeFileSync(join(folder, "genway.yaml"), text);
    return loadConfig({ env, cwd: folder, adapters });
  });
}

/** The problems of a text that must be refused. */
export async function problemsOf(text: string, env: Variables = {}): Promise<readonly Problem[]> {
  try {
    await loadText(text, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error("the text was not refused");
}

/** Each problem as "path: sentence". */
export async function sentencesOf(text: string, env: Variables = {}): Promise<string[]> {
  return (await problemsOf(text, env)).map(({ path, says }) => `${path}: ${says}`);
}
