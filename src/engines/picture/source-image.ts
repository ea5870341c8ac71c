import { readFile } from "node:fs/promises";
import type { Image } from "@napi-rs/canvas";
import { EngineError } from "../engine-error.ts";
import { readImageHeader } from "../../kit/image-header.ts";
import { openStudio } from "./studio.ts";

/** Opens a picture that came from outside; anything that cannot be shown is an EngineError "invalid" with a sentence. */
export async function openSourceImage(path: string, { name = "source image", maxPixels = 64_000_000 } = {}): Promise<Image> {
  const bytes = await readFile(path);
  const header = readImageHeader(bytes);
  if (header === null) throw unreadable(`The ${name} is not a PNG, JPEG, WebP or GIF picture.`);
  const { width, height } = header;
  if (width === 0 || height === 0) throw unreadable(`The ${name} has no pixels.`);
  // Decoding costs four bytes a pixel, whatever the file weighs.
  if (width * height > maxPixels) throw unreadable(`The ${name} is too large: ${width} by ${height} pixels.`);
  const { loadImage } = await openStudio();
  try {
    return await loadImage(bytes);
  } catch (cause) {
    throw unreadable(`The ${name} is damaged and cannot be read.`, cause);
  }
}

function unreadable(says: string, cause?: unknown): EngineError {
  return new EngineError("invalid", says, cause);
}
