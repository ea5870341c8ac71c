/** What tests of pictures are made with. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCanvas, loadImage, type SKRSContext2D } from "@napi-rs/canvas";
import type { ImageJob, ImageResult } from "../job.ts";
import { drawImages } from "./image.ts";

export type Pixels = { width: number; height: number; at(x: number, y: number): number[] };

/** A folder for pictures, and ways to make and to read them. */
export async function openAtelier() {
  const root = await mkdtemp(join(tmpdir(), "atelier-"));
  let jobs = 0;
  async function draw(changes: Partial<ImageJob> = {}): Promise<ImageResult> {
    const outDir = await mkdtemp(join(root, `job-${jobs++}-`));
    const usual = { prompt: "", seed: 5, width: 128, height: 96, count: 1, quality: 85, transparent: false, sourcePaths: [] };
    return drawImages({ engine: "image", outDir, format: "png", ...usual, ...changes }, () => {});
  }
  return {
    draw,
    async drawOne(changes: Partial<ImageJob>): Promise<Pixels & { path: string }> {
      const [image] = (await draw(changes)).images;
      if (image === undefined) throw new Error("no picture came of it");
      return { ...(await pixelsOf(image.path)), path: image.path };
    },
    async save(name: string, width: number, height: number, paint: (brush: SKRSContext2D) => void): Promise<string> {
      const canvas = createCanvas(width, height);
      paint(canvas.getContext("2d"));
      const path = join(root, name);
      await writeFile(path, canvas.encodeSync("png"));
      return path;
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}

/** A picture's pixels, at another size where one is given. */
export async function pixelsOf(path: string, size?: { width: number; height: number }): Promise<Pixels> {
  const image = await loadImage(path);
  const { width, height } = size ?? image;
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext("2d");
  brush.imageSmoothingQuality = "medium";
  brush.drawImage(image, 0, 0, width, height);
  const { data } = brush.getImageData(0, 0, width, height);
  return { width, height, at: (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)] };
}

/** The mean difference of two pictures of one size, 0 to 255; only of the part that is told. */
export function distance(one: Pixels, other: Pixels, part: (x: number, y: number) => boolean = () => true): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      if (!part(x, y)) continue;
      const there = other.at(x, y);
      one.at(x, y).forEach((value, channel) => (sum += Math.abs(value - (there[channel] ?? 0))));
      count += 4;
    }
  }
  return sum / Math.max(1, count);
}
