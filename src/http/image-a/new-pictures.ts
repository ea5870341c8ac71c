import type { Static } from "typebox";
import { Failure } from "../../core/errors.ts";
import type { ImageInput, InputFile, Ratio } from "../../core/kinds.ts";
import { dialectWishes, modelOf, pictureOf, type Asking, type Order } from "./asking.ts";
import { readPrompt } from "./prompt-parameters.ts";
import type { BlendRequest, DescribeRequest, EditsRequest, ImagineRequest, ShortenRequest, SwapRequest } from "./schemas.ts";

/** How many pictures Midjourney makes at once. */
export const gridCount = 4;

/** Pictures from a prompt, and from pictures if there are any. */
export async function imagine(body: Static<typeof ImagineRequest>, asking: Asking): Promise<Order> {
  const images = await picturesOf(body.base64Array ?? [], asking);
  const prompted = promptOf(body.prompt, images.length > 0);
  const { plain, fields } = prompted;
  const wishes = dialectWishes(body, asking, { prompt: whole(plain, body.prompt) });
  return ordered(body, { act: "generate", ...fields, images, count: gridCount, grid: true, ...wishes });
}

export async function blend(body: Static<typeof BlendRequest>, asking: Asking): Promise<Order> {
  const images = await picturesOf(body.base64Array, asking);
  const wishes = dialectWishes(body, asking, { dimensions: body.dimensions ?? undefined });
  const aspectRatio = body.dimensions ? { aspectRatio: shapes[body.dimensions] } : {};
  return ordered(body, { act: "blend", prompt: "", images, count: gridCount, grid: true, ...aspectRatio, ...wishes });
}

const shapes: Record<"PORTRAIT" | "SQUARE" | "LANDSCAPE", Ratio> = {
  PORTRAIT: { width: 2, height: 3 },
  SQUARE: { width: 1, height: 1 },
  LANDSCAPE: { width: 3, height: 2 },
};

export async function describePicture(body: Static<typeof DescribeRequest>, asking: Asking): Promise<Order> {
  const image = await pictureOf(needed(body.base64 || body.link, "base64"), "base64", asking);
  return ordered(body, { act: "describe", prompt: "", images: [image], count: 1, grid: false, ...dialectWishes(body, asking, {}) });
}

export async function shorten(body: Static<typeof ShortenRequest>, asking: Asking): Promise<Order> {
  const { plain } = promptOf(body.prompt, false);
  const wishes = dialectWishes(body, asking, { prompt: whole(plain, body.prompt) });
  return ordered(body, { act: "shorten", prompt: plain, images: [], count: 1, grid: false, ...wishes });
}

export async function edits(body: Static<typeof EditsRequest>, asking: Asking): Promise<Order> {
  const image = await pictureOf(needed(body.image || body.base64, "image"), "image", asking);
  const mask = body.maskBase64 ? await pictureOf(body.maskBase64, "maskBase64", asking) : undefined;
  const { plain, fields } = promptOf(body.prompt, false);
  const wishes = dialectWishes(body, asking, { prompt: whole(plain, body.prompt) });
  const masked = mask && ({ mask, maskPaints: "white" } as const);
  return ordered(body, { act: "edit", ...fields, images: [image], ...masked, count: gridCount, grid: true, ...wishes });
}

/** Puts the face of one picture into another. */
export async function swapFaces(body: Static<typeof SwapRequest>, asking: Asking): Promise<Order> {
  const images = [await pictureOf(body.sourceBase64, "sourceBase64", asking), await pictureOf(body.targetBase64, "targetBase64", asking)];
  return ordered({}, { act: "swap", prompt: "", images, count: 1, grid: false, ...dialectWishes(body, asking, {}) });
}

function ordered(body: { botType?: string | null }, input: ImageInput): Order {
  return { draft: { kind: "image", dialect: "image-a", model: modelOf(body), input } };
}

async function picturesOf(texts: readonly string[], asking: Asking): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const [at, text] of texts.entries()) files.push(await pictureOf(text, `base64Array.${at}`, asking));
  return files;
}

type Prompted = { plain: string; fields: Pick<ImageInput, "prompt" | "negativePrompt" | "aspectRatio" | "seed"> };

/** The prompt without its parameters, and what they say. */
function promptOf(prompt: string, hasImages: boolean): Prompted {
  const { plain, aspectRatio, seed, negativePrompt } = readPrompt(prompt);
  if (plain === "" && !hasImages)
    throw new Failure("invalid_request", { says: "'prompt' is required: parameters alone say nothing.", param: "prompt" });
  return {
    plain,
    fields: {
      prompt: plain,
      ...(aspectRatio && { aspectRatio }),
      ...(seed !== undefined && { seed }),
      ...(negativePrompt && { negativePrompt }),
    },
  };
}

/** The prompt as it was written, where that is more than the plain one. */
function whole(plain: string, prompt: string): string | undefined {
  return plain === prompt ? undefined : prompt;
}

function needed(text: string | null | undefined, param: string): string {
  if (!text) throw new Failure("invalid_request", { says: `'${param}' is required.`, param });
  return text;
}
