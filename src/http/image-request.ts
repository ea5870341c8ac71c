import type { Extras, ImageInput } from "../core/kinds.ts";
import type { Dialect } from "../core/task.ts";
import { imageARequest } from "./image-a/image-a-request.ts";
import { fileText, said, type TaskRequest } from "./request-words.ts";

/** The create of stored pictures; null where it cannot be said. */
export function imageRequest(dialect: Dialect, model: string, input: ImageInput): TaskRequest | null {
  if (dialect === "image-a") return imageARequest(model, input);
  return dialect === "image-b" ? imageBRequest(model, input) : openAiRequest(model, input);
}

/** Edits and variations come as forms, with their files in them. */
function openAiRequest(model: string, input: ImageInput): TaskRequest | null {
  if (input.act !== "generate") return null;
  const { prompt, negativePrompt, count, size, seed, extras } = input;
  const body = { ...extras, model, prompt, negative_prompt: negativePrompt, n: count, size: pixels(size), seed, async: true };
  return { path: "/v1/images/generations", body: said(body) };
}

function imageBRequest(model: string, input: ImageInput): TaskRequest | null {
  const { act, prompt, negativePrompt, count, size, aspectRatio, seed, strength, extras = {} } = input;
  const [image, mask] = [fileText(input.images[0]), fileText(input.mask)];
  const way = act === "edit" && strength !== undefined ? "remix" : act;
  if ((way !== "generate" && image === undefined) || (way === "edit" && mask === undefined)) return null;
  const { color_palette: palette, ...further }: Partial<Extras> = extras;
  return {
    path: `/imageB/${way}`,
    body: said({
      prompt: prompt || undefined,
      model: way === "describe" ? undefined : model,
      image_file: image,
      mask,
      num_images: count,
      resolution: pixels(size),
      aspect_ratio: aspectRatio && pixels(aspectRatio),
      seed,
      negative_prompt: negativePrompt,
      color_palette: palette === undefined ? undefined : { name: palette },
      ...further,
    }),
  };
}

function pixels(size: { width: number; height: number } | undefined): string | undefined {
  return size && `${size.width}x${size.height}`;
}
