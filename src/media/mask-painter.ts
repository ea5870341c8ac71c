import type { Image, SKRSContext2D } from "@napi-rs/canvas";
import type { MaskPaints } from "../core/kinds.ts";
import { PictureError, type PictureJob, type PictureReply, type Sides } from "./picture-job.ts";
import { isSameShape, scaleOf, sidesOf } from "./picture-scale.ts";

type Canvases = typeof import("@napi-rs/canvas");
type Redraw = Extract<PictureJob, { do: "mask" }>;

const bandRows = 256;
/** Black and white of a JPEG are nearly so. */
const dust = 16;

/** Draws a mask in the convention that is wanted, and in the size of its picture where it has that one's shape. */
export async function redrawMask({ createCanvas }: Canvases, image: Image, { limits, format, mask }: Redraw): Promise<PictureReply> {
  const { given, wanted, size } = mask;
  const to = size && isSameShape(image, size) ? size : sidesOf(image, scaleOf(image, limits));
  const canvas = createCanvas(to.width, to.height);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, to.width, to.height);
  const from = given ?? (hasClearPixels(context, to) ? "transparent" : "white");
  for (const band of bandsOf(context, to)) {
    for (let at = 0; at < band.data.length; at += 4) writePixel(band.data, at, wanted, paintAt(band.data, at, from));
    context.putImageData(band, 0, band.top);
  }
  const bytes = format === "png" ? await canvas.encode("png") : await canvas.encode(format, 100);
  // In another size it would no longer be its picture's mask.
  if (bytes.byteLength > (limits.maxBytes ?? Number.POSITIVE_INFINITY)) throw new PictureError("The mask cannot be made small enough.");
  return { state: "done", bytes, from: sidesOf(image, 1), to };
}
