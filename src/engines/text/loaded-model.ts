import { open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { Llama, LlamaContextSequence, LlamaModel } from "node-llama-cpp";
import { EngineError } from "../engine-error.ts";
import { loadPackage } from "../optional-package.ts";
import { createSpelling, type Spelling } from "./spelling.ts";

/** A model in memory with one place to write in; `contextTokens` bounds a prompt and what follows it together. */
export type LoadedModel = { name: string; model: LlamaModel; sequence: LlamaContextSequence; contextTokens: number; spelling: Spelling };

const mostContextTokens = 8192;
const leastContextTokens = 512;
const contextMemoryBytes = 2 ** 30;
const leastEntryBytes = 12;
const smallModelBytes = 100 * 2 ** 20;
const mostThreads = 4;

let llama: Promise<Llama> | null = null;
let current: { path: string; loaded: LoadedModel } | null = null;

/** The model of a file, which `provide` puts there if need be: kept from job to job, and let go when another is asked for. */
export async function loadModel(path: string, provide: () => Promise<void>): Promise<LoadedModel> {
  if (current?.path === path) return current.loaded;
  await letGo();
  await provide();
  await checkFormat(path);
  const loaded = await load(await startLlama(), path);
  current = { path, loaded };
  return loaded;
}

async function letGo(): Promise<void> {
  const old = current;
  current = null;
  await old?.loaded.model.dispose();
}

async function checkFormat(path: string): Promise<void> {
  const isGguf = await opensLikeGguf(path).catch((cause: unknown) => {
    throw new EngineError("missing", `The model file '${basename(path)}' cannot be read.`, cause);
  });
  if (!isGguf) throw new EngineError("missing", `The model file '${basename(path)}' is not a GGUF file.`, path);
}

// The counts are looked at too: the library would go on reading for ever where they promise more than the file can hold.
async function opensLikeGguf(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(24), 0, 24, 0);
  if (bytesRead < 24 || buffer.toString("latin1", 0, 4) !== "GGUF") return false;
  const entries = buffer.readBigUInt64LE(8) + buffer.readBigUInt64LE(16);
  return [2, 3].includes(buffer.readUInt32LE(4)) && entries * BigInt(leastEntryBytes) < BigInt(size);
}

async function startLlama(): Promise<Llama> {
  const { getLlama, LlamaLogLevel } = await loadPackage("node-llama-cpp", () => import("node-llama-cpp"));
  // Only the binary that came with the package: nothing is compiled or fetched on an operator's machine.
  llama ??= getLlama({ gpu: false, build: "never", skipDownload: true, progressLogs: false, logLevel: LlamaLogLevel.error });
  try {
    return await llama;
  } catch (cause) {
    llama = null;
    throw new EngineError("missing", "The package 'node-llama-cpp' has no build that runs on this machine.", cause);
  }
}

async function load(engine: Llama, path: string): Promise<LoadedModel> {
  try {
    const model = await engine.loadModel({ modelPath: path });
    const contextTokens = await fittingContext(model);
    // One place more than we use: the library begins to forget the oldest tokens when the last place would be taken.
    const context = await model.createContext({ contextSize: contextTokens + 1, threads: fittingThreads(model) });
    const name = model.fileInfo.metadata.general.name ?? basename(path, ".gguf");
    return { name, model, sequence: context.getSequence(), contextTokens, spelling: createSpelling(model) };
  } catch (cause) {
    throw new EngineError("missing", `The model file '${basename(path)}' could not be loaded.`, cause);
  }
}

// Threads wait for each other after every layer, turning on the spot: on a busy machine two are many times slower than one.
function fittingThreads(model: LlamaModel): number {
  if (model.size < smallModelBytes) return 1;
  return Math.max(1, Math.min(mostThreads, Math.floor(availableParallelism() / 2)));
}

async function fittingContext(model: LlamaModel): Promise<number> {
  let size = Math.min(model.trainContextSize, mostContextTokens);
  while (size > leastContextTokens && (await contextBytes(model, size)) > contextMemoryBytes) size = Math.ceil(size / 2);
  return size;
}

async function contextBytes(model: LlamaModel, contextSize: number): Promise<number> {
  const { cpuRam } = await model.fileInsights.estimateContextResourceRequirementsV2({ contextSize, modelGpuLayers: 0 });
  return cpuRam;
}
