import { mkdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Answer, Call, CallWork, JsonObject } from "../../core/call.ts";
import type { Mint } from "../../dialects/mint.ts";
import type { Engines } from "../../engines/engines.ts";

/** What calls to the built-in generators are answered with. */
export type Workshop = {
  engines: Engines;
  /** Holds one folder per call. */
  workDir: string;
  cacheDir: string;
  modelPath: () => string | null;
  mint: Mint;
};

/** Answers a call of one operation, or throws a Failure or an EngineError. */
export type LocalAnswer = (workshop: Workshop, call: Call, work: CallWork) => Promise<Answer>;

/** A new folder for one call, and how to be rid of it. */
export async function openFolder({ workDir, mint }: Workshop): Promise<{ path: string; remove(): Promise<void> }> {
  const path = resolve(workDir, `call-${mint.id()}`);
  await mkdir(path, { recursive: true });
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Works in a new folder, which is gone afterwards, whatever came of the work. */
export async function inFolder<T>(workshop: Workshop, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await openFolder(workshop);
  try {
    return await work(folder.path);
  } finally {
    await folder.remove();
  }
}

export function wholeJson(value: JsonObject): Answer {
  return { state: "whole", mime: "application/json", body: Buffer.from(JSON.stringify(value)), value };
}

export const eventStream = "text/event-stream";

/** A stream of texts that are all there already. */
export async function* piecesOf(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

export function secondsNow({ mint }: Workshop): number {
  return Math.floor(mint.nowMs() / 1000);
}
