import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImageInput, ImageOutput, InputFile } from "../../core/kinds.ts";
import type { Work } from "../../core/provider.ts";
import type { Engines } from "../../engines/engines.ts";

/** What can be asked of the built-in pictures as a task. */
export const localImageActs = ["generate", "edit", "vary", "blend", "reroll"] as const;

const usualSide = 1024;
const leastSide = 64;
const mostSide = 4096;

/** Makes the pictures of an image task. */
export async function generateImages(engines: Engines, input: ImageInput, seed: number, outDir: string, work: Work): Promise<ImageOutput> {
  const sources = input.act === "reroll" ? [] : input.images;
  const sourcePaths = await Promise.all(sources.map((file, at) => save(file, outDir, `source-${at}`, work)));
  const maskPath = input.mask === undefined ? undefined : await save(input.mask, outDir, "source-mask", work);
  const { images } = await engines.run(
    {
      engine: "image",
      outDir,
      prompt: promptOf(input),
      seed: input.seed ?? seed,
      ...sizeOf(input),
      count: input.count,
      format: "png",
      quality: 100,
      transparent: false,
      sourcePaths,
      ...(maskPath !== undefined && { maskPath }),
    },
    { signal: work.signal, onProgress: work.report },
  );
  await Promise.all([...sourcePaths, maskPath ?? ""].map((path) => rm(path, { force: true })));
  const prompt = promptOf(input);
  return {
    kind: "image",
    pictures: images.map(({ path, seed: own }) => ({ media: { from: "path", path }, seed: own, ...(prompt !== "" && { prompt }) })),
  };
}

function promptOf({ act, prompt }: ImageInput): string {
  return act === "vary" ? "" : prompt;
}

function sizeOf({ size, aspectRatio }: ImageInput): { width: number; height: number } {
  const { width, height } = size ?? shaped(aspectRatio ?? { width: 1, height: 1 });
  const within = (side: number) => Math.min(Math.max(Math.round(side), leastSide), mostSide);
  return { width: within(width), height: within(height) };
}

/** About as many pixels as the usual square, in another shape. */
function shaped({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const stretch = Math.sqrt(width / height);
  return { width: Math.round((usualSide * stretch) / 16) * 16, height: Math.round(usualSide / stretch / 16) * 16 };
}

async function save(file: InputFile, folder: string, name: string, work: Work): Promise<string> {
  const { bytes } = await work.load(file);
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}
