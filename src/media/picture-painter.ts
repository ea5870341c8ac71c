import type { Image } from "@napi-rs/canvas";
import { redrawMask } from "./mask-painter.ts";
import { PictureError, type PictureJob, type PictureReply, type Sides } from "./picture-job.ts";
import { scaleOf, sidesOf } from "./picture-scale.ts";

type Canvases = typeof import("@napi-rs/canvas");
type Fit = Extract<PictureJob, { do: "fit" }>;

const qualities = [90, 80, 65] as const;
const mostTries = 10;
const longestGridSide = 4_096;

/** Decodes pictures and writes them anew; native code that a bad picture may bring down, so not for the service's own process. */
export async function paint(job: PictureJob): Promise<PictureReply> {
  const canvases = await import("@napi-rs/canvas").catch(() => null);
  if (canvases === null) return { state: "unable" };
  try {
    if (job.do === "grid") return await arrange(canvases, job.pictures);
    return job.do === "fit" ? await fit(canvases, job) : await redrawMask(canvases, await open(canvases, job.bytes), job);
  } catch (error) {
    return { state: "failed", says: error instanceof PictureError ? error.message : "The picture cannot be read." };
  }
}

async function fit(canvases: Canvases, { bytes, limits, format }: Fit): Promise<PictureReply> {
  const image = await open(canvases, bytes);
  const { maxBytes = Number.POSITIVE_INFINITY, minSide = 1 } = limits;
  let scale = scaleOf(image, limits);
  let quality = 0;
  for (let tries = 0; tries < mostTries; tries++) {
    const to = sidesOf(image, scale);
    const written = await write(canvases, image, to, format, qualities[quality] ?? 65);
    if (written.byteLength <= maxBytes) return { state: "done", bytes: written, from: sidesOf(image, 1), to };
    // What is lost of a photograph's quality is seen less than what is lost of its size.
    if (format !== "png" && quality < qualities.length - 1) quality++;
    else scale *= Math.min(0.9, Math.sqrt(maxBytes / written.byteLength) * 0.95);
    if (scale * Math.min(image.width, image.height) < minSide) break;
  }
  throw new PictureError("The picture cannot be made small enough.");
}

async function write({ createCanvas }: Canvases, image: Image, to: Sides, format: Fit["format"], quality: number): Promise<Uint8Array> {
  const canvas = createCanvas(to.width, to.height);
  const context = canvas.getContext("2d");
  if (format === "jpeg") {
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, to.width, to.height);
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, to.width, to.height);
  return format === "png" ? canvas.encode("png") : canvas.encode(format, quality);
}

async function arrange(canvases: Canvases, pictures: readonly Uint8Array[]): Promise<PictureReply> {
  const [first] = pictures;
  if (first === undefined) throw new PictureError("There are no pictures to arrange.");
  const { width, height } = await open(canvases, first);
  const columns = Math.ceil(Math.sqrt(pictures.length));
  const rows = Math.ceil(pictures.length / columns);
  const scale = Math.min(1, longestGridSide / Math.max(width * columns, height * rows));
  const cell = { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
  const to = { width: cell.width * columns, height: cell.height * rows };
  const canvas = canvases.createCanvas(to.width, to.height);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  for (const [place, bytes] of pictures.entries()) {
    const image = await open(canvases, bytes);
    context.drawImage(image, (place % columns) * cell.width, Math.floor(place / columns) * cell.height, cell.width, cell.height);
  }
  return { state: "done", bytes: await canvas.encode("png"), from: { width, height }, to };
}

async function open({ loadImage }: Canvases, bytes: Uint8Array): Promise<Image> {
  try {
    // Turned as its camera was held.
    return await loadImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    throw new PictureError("The picture is damaged and cannot be read.");
  }
}
