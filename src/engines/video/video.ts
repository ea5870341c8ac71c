import { setImmediate as nextTurn } from "node:timers/promises";
import type { Canvas } from "@napi-rs/canvas";
import { EngineError } from "../engine-error.ts";
import type { Report, VideoJob, VideoResult } from "../job.ts";
import { planScene } from "../picture/scene-plan.ts";
import { createStage } from "../picture/stage.ts";
import { openStudio } from "../picture/studio.ts";
import { saveFile } from "../saved-file.ts";
import { frameSize } from "./frame-size.ts";
import { framesPerSecond, openMp4, type Mp4Writer } from "./mp4.ts";
import type { Frame, Paint } from "./reel.ts";
import { composeReel } from "./screenplay.ts";
import { openFilm, type SourceFilm } from "./source-film.ts";
import { composeSound } from "./soundtrack.ts";

/** Draws, encodes and saves a film with its soundtrack and a cover picture. */
export async function renderVideo(job: VideoJob, report: Report): Promise<VideoResult> {
  const { durationSeconds, source } = job;
  if (!(durationSeconds >= 1 && durationSeconds <= 60)) throw new EngineError("invalid", "A video is 1 to 60 seconds long.");
  const film = source === undefined ? null : await openFilm(source.path);
  try {
    return await shoot(job, film, report);
  } finally {
    await film?.close();
  }
}

async function shoot(job: VideoJob, film: SourceFilm | null, report: Report): Promise<VideoResult> {
  const count = frameCountOf(job, film);
  const { width, height } = sizeOf(job, film, count / framesPerSecond);
  const { createCanvas } = await openStudio();
  const plan = planScene(job.prompt, job.seed ?? 0);
  const stage = createStage(width, height, plan, (wide, tall) => createCanvas(wide, tall));
  const paint = await composeReel(job, film, stage, count);
  const mp4 = await openMp4(width, height);
  await mp4.addSound(await composeSound(job, film, plan, count));
  report(1);
  const cover = await drawFrames(createCanvas(width, height), paint, mp4, count, (share) => report(1 + share * 97));
  const videoPath = await saveFile(job.outDir, "video.mp4", await mp4.finish());
  const coverPath = await saveFile(job.outDir, "cover.jpg", cover);
  report(100);
  return { engine: "video", videoPath, coverPath, durationSeconds: count / framesPerSecond, width, height };
}

/** What goes on from a film comes after it; what makes it anew is as long as it is. */
function frameCountOf({ durationSeconds, source }: VideoJob, film: SourceFilm | null): number {
  const own = Math.round(durationSeconds * framesPerSecond);
  if (film === null) return own;
  return source?.act === "extend" ? film.frameCount + own : film.frameCount;
}

/** A film that is to have the shape of its source keeps its size too, where that can be drawn in time. */
function sizeOf({ aspectRatio, shortSide }: VideoJob, film: SourceFilm | null, seconds: number): Frame {
  const isAlike = film !== null && Math.abs(Math.log((film.width * aspectRatio.height) / (film.height * aspectRatio.width))) < 0.03;
  if (!isAlike) return frameSize(aspectRatio, seconds, shortSide);
  return frameSize(film, seconds, shortSide ?? Math.min(film.width, film.height));
}

async function drawFrames(canvas: Canvas, paint: Paint, film: Mp4Writer, count: number, report: Report): Promise<Uint8Array> {
  const brush = canvas.getContext("2d");
  const coverAt = Math.floor(count / 3);
  let cover: Uint8Array = new Uint8Array();
  for (let index = 0; index < count; index++) {
    await paint(brush, index);
    await film.addFrame(index, canvas.data());
    if (index === coverAt) cover = await canvas.encode("jpeg", 88);
    report((index + 1) / count);
    // The frame's pixels are only freed between turns of the event loop.
    await nextTurn();
  }
  return cover;
}
