import { setImmediate as nextTurn } from "node:timers/promises";
import type { Canvas } from "@napi-rs/canvas";
import { EngineError } from "../engine-error.ts";
import type { Report, VideoJob, VideoResult } from "../job.ts";
import { animatePhoto } from "../picture/photo.ts";
import { composeScene } from "../picture/scene.ts";
import { planScene, type ScenePlan } from "../picture/scene-plan.ts";
import { openSourceImage } from "../picture/source-image.ts";
import { createStage, type Layer } from "../picture/stage.ts";
import { openStudio } from "../picture/studio.ts";
import { saveFile } from "../saved-file.ts";
import { composeAmbience } from "./ambience.ts";
import { frameSize } from "./frame-size.ts";
import { framesPerSecond, openMp4, type Mp4Writer } from "./mp4.ts";

/** Draws, encodes and saves a film with its soundtrack and a cover picture. */
export async function renderVideo(job: VideoJob, report: Report): Promise<VideoResult> {
  const { durationSeconds, outDir } = job;
  if (!(durationSeconds >= 1 && durationSeconds <= 60)) throw new EngineError("invalid", "A video is 1 to 60 seconds long.");
  const { width, height } = frameSize(job.aspectRatio, durationSeconds);
  const { createCanvas } = await openStudio();
  const plan = planScene(job.prompt, job.seed ?? 0);
  const draw = await prepare(job, plan, width, height);
  const film = await openMp4(width, height);
  const canvas = createCanvas(width, height);
  await film.addSound(composeAmbience(plan, durationSeconds));
  report(1);
  const cover = await drawFrames(canvas, draw, film, durationSeconds, (share) => report(1 + share * 97));
  const videoPath = await saveFile(outDir, "video.mp4", await film.finish());
  const coverPath = await saveFile(outDir, "cover.jpg", cover);
  report(100);
  return {
    engine: "video",
    videoPath,
    coverPath,
    durationSeconds: Math.round(durationSeconds * framesPerSecond) / framesPerSecond,
    width,
    height,
  };
}

async function prepare(job: VideoJob, plan: ScenePlan, width: number, height: number): Promise<Layer> {
  const { createCanvas } = await openStudio();
  const stage = createStage(width, height, plan, (wide, tall) => createCanvas(wide, tall));
  if (job.imagePath === undefined) return composeScene(stage);
  return animatePhoto(stage, await openSourceImage(job.imagePath), job.durationSeconds);
}

async function drawFrames(canvas: Canvas, draw: Layer, film: Mp4Writer, seconds: number, report: Report): Promise<Uint8Array> {
  const brush = canvas.getContext("2d");
  const count = Math.round(seconds * framesPerSecond);
  const coverAt = Math.floor(count / 3);
  // A short film drifts less far, so that the camera never rushes.
  const reach = Math.min(1, seconds / 6);
  let cover: Uint8Array = new Uint8Array();
  for (let index = 0; index < count; index++) {
    draw(brush, { seconds: index / framesPerSecond, pan: (index / count - 0.5) * reach });
    await film.addFrame(index, canvas.data());
    if (index === coverAt) cover = await canvas.encode("jpeg", 88);
    report((index + 1) / count);
    // The frame's pixels are only freed between turns of the event loop.
    await nextTurn();
  }
  return cover;
}
