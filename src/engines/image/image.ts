import { setImmediate as nextTurn } from "node:timers/promises";
import { createChance } from "../chance.ts";
import { EngineError } from "../engine-error.ts";
import type { ImageJob, ImageResult, ImageWay, Report } from "../job.ts";
import type { MakeSurface, Surface } from "../picture/stage.ts";
import { openStudio } from "../picture/studio.ts";
import { saveFile } from "../saved-file.ts";
import { prepareBlending } from "./blending.ts";
import { layOutSources, openSource } from "./collage.ts";
import { drawCutout } from "./cutout.ts";
import { describePicture } from "./description.ts";
import type { Frame } from "./easel.ts";
import { editPartly } from "./edit.ts";
import { enlargePicture } from "./enlargement.ts";
import { finishAs, release } from "./finish.ts";
import { keepWithin, prepareRepainting } from "./repainting.ts";
import { drawScene, planStill } from "./still-scene.ts";
import { prepareSurrounding } from "./surrounding.ts";
import { varyPicture } from "./variation.ts";

/** Draws, edits, varies, blends, enlarges or surrounds pictures and saves each, or describes one; the same seed, words, size and sources give the same bytes. */
export async function drawImages(job: ImageJob, report: Report): Promise<ImageResult> {
  check(job);
  const { createCanvas } = await openStudio();
  const surface: MakeSurface = (width, height) => createCanvas(width, height);
  if (job.way?.kind === "describe") return { engine: "image", images: [], texts: await describePicture(sourceOf(job), surface) };
  const draw = await prepare(job, surface);
  const images: ImageResult["images"] = [];
  for (let index = 0; index < job.count; index++) {
    const seed = seedOf(job.seed, index);
    const picture = draw(seed);
    report(((index + 0.3) / job.count) * 100);
    const path = await saveFile(job.outDir, `image-${index + 1}.${job.format}`, await encode(picture, job));
    release(picture);
    images.push({ path, mime: `image/${job.format}`, width: job.width, height: job.height, seed });
    report(((index + 1) / job.count) * 100);
    // Native memory is only given back between turns of the event loop.
    await nextTurn();
  }
  return { engine: "image", images };
}

function check({ width, height, count }: ImageJob): void {
  for (const side of [width, height]) {
    if (!Number.isInteger(side) || side < 64 || side > 4096)
      throw new EngineError("invalid", "An image is 64 to 4096 pixels wide and high.");
  }
  if (!Number.isInteger(count) || count < 1) throw new EngineError("invalid", "At least one image has to be asked for.");
}

/** The first picture has the job's own seed, so that any one can be asked for again by the seed it was told to have. */
function seedOf(seed: number | undefined, index: number): number {
  const whole = seed !== undefined && Number.isInteger(seed) && seed >= 0 && seed <= 0x7fffffff;
  const first = whole ? seed : createChance("image seed", seed ?? 0).whole(0, 0x7fffffff);
  return (first + index * seedStep) % 0x80000000;
}

/** How far an edit goes unless told otherwise. */
const usualStrength = 0.5;

/** Ends in 1: neighbours differ in the digit by which variations choose their manner. */
const seedStep = 104_729_731;

type Draw = (seed: number) => Surface;

/** What every picture of the job has in common is opened once. */
async function prepare(job: ImageJob, surface: MakeSurface): Promise<Draw> {
  const { prompt, sourcePaths } = job;
  const frame = { width: job.width, height: job.height };
  const finish = (picture: Surface, seed: number): Surface => finishAs(picture, prompt, seed, surface);
  if (sourcePaths.length === 0) {
    if (isClear(job)) return (seed) => finish(drawCutout(frame, prompt, seed, surface), seed);
    return (seed) => finish(drawScene(frame, planStill(prompt, seed), surface), seed);
  }
  if (job.way !== undefined) return prepareWay(job, job.way, frame, surface);
  if (job.maskPath !== undefined) {
    return prepareRepainting({ prompt, sourcePaths, maskPath: job.maskPath, keepClear: isClear(job) }, frame, surface);
  }
  if (prompt.trim() === "") {
    const source = await layOutSources(sourcePaths.slice(0, 1), frame, surface);
    return (seed) => varyPicture(source, frame, seed, surface, job.strength);
  }
  const source = await layOutSources(sourcePaths, frame, surface);
  return (seed) => {
    const { strength = usualStrength } = job;
    const picture = finish(editPartly(source, frame, { prompt, seed, strength }, surface), seed);
    return isClear(job) ? keepWithin(picture, source, { left: 0, top: 0 }) : picture;
  };
}

async function prepareWay(job: ImageJob, way: ImageWay, frame: Frame, surface: MakeSurface): Promise<Draw> {
  switch (way.kind) {
    case "blend":
      return prepareBlending(job.sourcePaths, frame, surface);
    case "surround":
      return prepareSurrounding({ prompt: job.prompt, sourcePath: sourceOf(job), place: way.place }, frame, surface);
    case "upscale": {
      const source = await openSource(sourceOf(job), surface);
      return () => enlargePicture(source, frame, way.detail, surface);
    }
    case "describe":
      throw new EngineError("failed", "A description is no picture.");
  }
}

function sourceOf({ sourcePaths: [first] }: ImageJob): string {
  if (first === undefined) throw new EngineError("invalid", "A picture to work on is needed.");
  return first;
}

function isClear({ transparent, format }: ImageJob): boolean {
  return transparent && format !== "jpeg";
}

function encode(picture: Surface, { format, quality }: ImageJob): Promise<Uint8Array> {
  if (format === "png") return picture.encode("png");
  const share = Math.min(100, Math.max(1, Math.round(quality)));
  if (format === "webp") return picture.encode("webp", share);
  // JPEG knows no transparency: what is clear is shown on white paper.
  const brush = picture.getContext("2d");
  brush.globalCompositeOperation = "destination-over";
  brush.fillStyle = "#ffffff";
  brush.fillRect(0, 0, picture.width, picture.height);
  return picture.encode("jpeg", share);
}
