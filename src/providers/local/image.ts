import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Call, CallFile, JsonObject } from "../../core/call.ts";
import { present } from "../../dialects/json-reading.ts";
import { invalid, textIn } from "../../dialects/request-fields.ts";
import { sseText } from "../../dialects/sse-events.ts";
import { hashText } from "../../engines/chance.ts";
import type { ImageJob } from "../../engines/job.ts";
import { oneOf, wholeWithin } from "./fields.ts";
import { eventStream, inFolder, piecesOf, secondsNow, wholeJson, type LocalAnswer } from "./workshop.ts";

type ImageWish = Omit<ImageJob, "engine" | "outDir" | "sourcePaths" | "maskPath" | "seed">;

const leastPixels = 64;
const mostPixels = 4096;
const usualSize = "1024x1024";

/** Draws, changes or varies pictures; they are always inside the reply, as the layers above make addresses of them. */
export const answerImage: LocalAnswer = async (workshop, call, { signal }) => {
  const wish = readWish(call);
  const { sources, mask } = filesIn(call);
  const seed = wholeWithin(call.body, "seed", [0, 0x7fffffff], hashText(workshop.mint.id()) & 0x7fffffff);
  const pictures = await inFolder(workshop, async (outDir) => {
    const sourcePaths = await Promise.all(sources.map((file, at) => save(file, outDir, `source-${at}`)));
    const maskPath = mask && (await save(mask, outDir, "source-mask"));
    const { images } = await workshop.engines.run(
      { engine: "image", outDir, seed, ...wish, sourcePaths, ...(maskPath !== undefined && { maskPath }) },
      { signal },
    );
    return Promise.all(images.map(({ path }) => readFile(path, "base64")));
  });
  const made = {
    size: `${wish.width}x${wish.height}`,
    background: wish.transparent ? "transparent" : "opaque",
    output_format: wish.format,
  };
  const created = secondsNow(workshop);
  if (call.stream) {
    const type = call.operation === "image" ? "image_generation.completed" : "image_edit.completed";
    const events = pictures.map((picture) => sseText({ type, b64_json: picture, created_at: created, ...made }, type));
    return { state: "stream", mime: eventStream, pieces: piecesOf(events) };
  }
  const revised = wish.prompt === "" ? undefined : wish.prompt;
  const data = pictures.map((picture): JsonObject => present({ b64_json: picture, revised_prompt: revised }));
  return wholeJson({ created, data, ...made });
};

function readWish({ operation, body }: Call): ImageWish {
  const prompt = operation === "image-variation" ? "" : (textIn(body, "prompt")?.trim() ?? "");
  if (prompt === "" && operation !== "image-variation") throw invalid("prompt", "'prompt' is required.");
  const format = oneOf(body, "output_format", ["png", "jpeg", "webp"], "png");
  const transparent = body.background === "transparent";
  if (transparent && format === "jpeg") throw invalid("background", "A JPEG cannot be transparent: ask for png or webp.");
  const quality = Math.max(1, wholeWithin(body, "output_compression", [0, 100], 100));
  return { prompt, ...sizeIn(body), count: wholeWithin(body, "n", [1, 10], 1), format, quality, transparent };
}

function sizeIn(body: JsonObject): { width: number; height: number } {
  const given = textIn(body, "size") ?? "auto";
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(given === "auto" ? usualSize : given) ?? [];
  const size = { width: Number(width), height: Number(height) };
  if (Object.values(size).every((side) => side >= leastPixels && side <= mostPixels)) return size;
  throw invalid("size", `'size' must be widthxheight, each from ${leastPixels} to ${mostPixels} pixels, or auto.`);
}

function filesIn({ operation, files }: Call): { sources: readonly CallFile[]; mask?: CallFile } {
  if (operation === "image") return { sources: [] };
  const sources = files.filter(({ field }) => /^image(\[\d*\])?$/.test(field));
  if (sources.length === 0) throw invalid("image", "'image' is required: a PNG, JPEG, WebP or GIF file.");
  const mask = operation === "image-edit" ? files.find(({ field }) => field === "mask") : undefined;
  return { sources, ...(mask !== undefined && { mask }) };
}

async function save({ bytes }: CallFile, folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}
