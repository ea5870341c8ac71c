import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImageInput, ImageOutput, InputFile } from "../../core/kinds.ts";
import type { PictureLimits, Work } from "../../core/provider.ts";
import type { Engines } from "../../engines/engines.ts";
import { shortenPrompt } from "../../engines/image/prompt-shortening.ts";
import { readImageHeader } from "../../kit/image-header.ts";
import { frameFor, type Size } from "./image-task-frame.ts";

/** What can be asked of the built-in pictures as a task; nobody's face is put into another picture. */
export const localImageActs = ["generate", "edit", "vary", "blend", "upscale", "reroll", "zoom", "pan", "describe", "shorten"] as const;

/** Makes the pictures of an image task, or the texts where it asks for texts. */
export async function generateImages(engines: Engines, input: ImageInput, seed: number, outDir: string, work: Work): Promise<ImageOutput> {
  // A variation goes by its picture alone.
  const prompt = input.act === "vary" ? "" : input.prompt;
  if (input.act === "shorten") return { kind: "image", pictures: [], texts: shortenPrompt(prompt) };
  const sources = await Promise.all(input.images.map((file, at) => save(file, outDir, `source-${at}`, work)));
  const mask = input.mask === undefined ? undefined : await save(input.mask, outDir, "source-mask", work, maskLimits(input));
  const { images, texts } = await engines.run(
    {
      engine: "image",
      outDir,
      prompt,
      seed: seedOf(input, seed),
      ...frameFor(input, input.act === "generate" || input.act === "reroll" ? null : (sources[0]?.size ?? null)),
      count: input.count,
      format: "png",
      quality: 100,
      transparent: false,
      sourcePaths: sources.map(({ path }) => path),
      ...(mask !== undefined && { maskPath: mask.path }),
      ...(input.strength !== undefined && { strength: input.strength }),
    },
    { signal: work.signal, onProgress: work.report },
  );
  await Promise.all([...sources, ...(mask === undefined ? [] : [mask])].map(({ path }) => rm(path, { force: true })));
  return {
    kind: "image",
    pictures: images.map(({ path, seed: own }) => ({ media: { from: "path", path }, seed: own, ...(prompt !== "" && { prompt }) })),
    ...(texts !== undefined && { texts }),
  };
}

/** What is shown around a picture is that picture's own scene, so it needs the picture's own seed. */
function seedOf({ act, seed, source }: ImageInput, own: number): number {
  const shared = act === "zoom" || act === "pan" || act === "upscale" ? source?.seed : null;
  return seed ?? shared ?? own;
}

// Where nobody said which pixels count, the engine sees for itself.
function maskLimits({ maskPaints: given }: ImageInput): PictureLimits | undefined {
  return given && { mask: { given, wanted: "transparent" } };
}

async function save(
  file: InputFile,
  folder: string,
  name: string,
  work: Work,
  limits?: PictureLimits,
): Promise<{ path: string; size: Size | null }> {
  const { bytes } = await work.load(file, limits);
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, bytes);
  const header = readImageHeader(bytes);
  // A picture without pixels is for the generator to refuse.
  return { path, size: header !== null && header.width > 0 && header.height > 0 ? header : null };
}
