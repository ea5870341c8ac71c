import { readImageHeader } from "../kit/image-header.ts";
import { maxPixels, PictureError } from "./picture-job.ts";
import { runPictureJob } from "./picture-process.ts";

/**
 * Pictures as one PNG, four as two by two: every cell has the shape of the first, without gaps between them.
 * No side is longer than 4096 pixels. Throws an Error that says what is wrong.
 */
export async function gridOf(pictures: readonly Uint8Array[]): Promise<Uint8Array> {
  for (const picture of pictures) {
    const header = readImageHeader(picture);
    if (header === null) throw new PictureError("A picture of the grid is no PNG, JPEG, WebP or GIF.");
    if (header.width * header.height > maxPixels) throw new PictureError("A picture of the grid is too large to be put into one.");
  }
  const reply = await runPictureJob({ do: "grid", pictures });
  if (reply.state === "done") return reply.bytes;
  throw new PictureError(
    reply.state === "failed" ? reply.says : "The package @napi-rs/canvas, which puts pictures into a grid, is not installed.",
  );
}
