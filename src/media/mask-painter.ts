import type { Image, ImageData, SKRSContext2D } from "@napi-rs/canvas";
import type { MaskPaints } from "../core/kinds.ts";
import { PictureError, type PictureJob, type PictureReply, type Sides } from "./picture-job.ts";
import { isSameShape, scaleOf, sidesOf } from "./picture-scale.ts";

type Canvases = typeof import("@napi-rs/canvas");
type Redraw = Extract<PictureJob, { do: "mask" }>;

const bandRows = 256;
// The black and white of a JPEG are nearly so, and upstreams go by pixels that are wholly one or the other.
const dust = 16;

/** Draws a mask so that other pixels say where to paint, and in its picture's size where it has that one's shape. */
export async function redrawMask({ createCanvas }: Canvases, image: Image, { limits, format, mask }: Redraw): Promise<PictureReply> {
  const { given, wanted, size } = mask;
  const to = size && isSameShape(image, size) ? size : sidesOf(image, scaleOf(image, limits));
  const canvas = createCanvas(to.width, to.height);
  const context = canvas.getContext("2d");
  // It would soften edges even of what keeps its size.
  context.imageSmoothingEnabled = to.width !== image.width || to.height !== image.height;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, to.width, to.height);
  const paints = given ?? (hasClearPixels(context, to) ? "transparent" : "white");
  for (const [top, band] of bandsOf(context, to)) {
    redrawBand(band.data, paints, wanted);
    context.putImageData(band, 0, top);
  }
  const bytes = format === "png" ? await canvas.encode("png") : await canvas.encode(format, 100);
  // In another size it would no longer lie over its picture.
  if (bytes.byteLength > (limits.maxBytes ?? Number.POSITIVE_INFINITY)) throw new PictureError("The mask cannot be made small enough.");
  return { state: "done", bytes, from: sidesOf(image, 1), to };
}

// In bands, so that a large mask is not held twice.
function* bandsOf(context: SKRSContext2D, { width, height }: Sides): Generator<[top: number, band: ImageData]> {
  for (let top = 0; top < height; top += bandRows) yield [top, context.getImageData(0, top, width, Math.min(bandRows, height - top))];
}

function hasClearPixels(context: SKRSContext2D, sides: Sides): boolean {
  for (const [, { data }] of bandsOf(context, sides)) {
    // Scaling may leave a hair of transparency at the rim of an opaque picture.
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 255) < 128) return true;
  }
  return false;
}

function redrawBand(data: Uint8ClampedArray, given: MaskPaints, wanted: MaskPaints): void {
  for (let at = 0; at < data.length; at += 4) {
    const paint = paintOf(data, at, given);
    data.fill(wanted === "white" ? paint : wanted === "black" ? 255 - paint : 0, at, at + 3);
    data[at + 3] = wanted === "transparent" ? 255 - paint : 255;
  }
}

/** How much is to be painted at a pixel, 0 to 255. */
function paintOf(data: Uint8ClampedArray, at: number, given: MaskPaints): number {
  const [red = 0, green = 0, blue = 0, alpha = 255] = [data[at], data[at + 1], data[at + 2], data[at + 3]];
  const light = Math.round(((red + green + blue) / 3) * (alpha / 255));
  const paint = given === "transparent" ? 255 - alpha : given === "white" ? light : 255 - light;
  return paint < dust ? 0 : paint > 255 - dust ? 255 : paint;
}
