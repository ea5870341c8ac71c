import { coverCell } from "../picture/cover.ts";
import type { VideoJob } from "../job.ts";
import { animatePhoto } from "../picture/photo.ts";
import { composeScene } from "../picture/scene.ts";
import { openSourceImage } from "../picture/source-image.ts";
import type { Stage, Surface } from "../picture/stage.ts";
import { framesPerSecond } from "./mp4.ts";
import { endOn, loopScene, playScene, type Paint } from "./reel.ts";
import { continueFilm, remakeFilm } from "./sequel.ts";
import type { SourceFilm } from "./source-film.ts";

/** Everything that a film shows, from the first frame to the last; a picture that it is to end on outranks a loop. */
export async function composeReel(job: VideoJob, film: SourceFilm | null, stage: Stage, count: number): Promise<Paint> {
  const ending = job.lastImagePath === undefined ? null : await openEnding(job.lastImagePath, stage);
  const hasLoop = job.loop === true && ending === null;
  if (film === null) {
    const scene = await sceneOf(job, stage, count);
    if (hasLoop) return loopScene(scene, count, stage, stage.surface);
    return ending === null ? playScene(scene, count) : endOn(playScene(scene, count), () => ending, count);
  }
  const isSequel = job.source?.act === "extend";
  const added = isSequel ? count - film.frameCount : count;
  const paint = isSequel ? continueFilm(film, stage, job.prompt, added) : remakeFilm(film, stage, job.prompt);
  if (ending !== null) return endingAfter(paint, () => ending, count, added);
  return hasLoop ? closedRing(paint, stage, count, added) : paint;
}

async function sceneOf(job: VideoJob, stage: Stage, count: number): Promise<ReturnType<typeof composeScene>> {
  if (job.imagePath === undefined) return composeScene(stage);
  return animatePhoto(stage, await openSourceImage(job.imagePath), count / framesPerSecond);
}

async function openEnding(path: string, { width, height, surface }: Stage): Promise<Surface> {
  const image = await openSourceImage(path);
  const sheet = surface(width, height);
  coverCell(sheet.getContext("2d"), image, { left: 0, top: 0, width, height });
  return sheet;
}

/** The picture appears within the part that was added. */
function endingAfter(paint: Paint, picture: () => Surface, count: number, added: number): Paint {
  const before = count - added;
  const ended = endOn((brush, index) => paint(brush, index + before), picture, added);
  return (brush, index) => (index < before ? paint(brush, index) : ended(brush, index - before));
}

/** Ends on its own first frame. */
function closedRing(paint: Paint, { width, height, surface }: Stage, count: number, added: number): Paint {
  const first = surface(width, height);
  const ring = endingAfter(paint, () => first, count, added);
  return async (brush, index) => {
    await ring(brush, index);
    if (index === 0) first.getContext("2d").drawImage(brush.canvas, 0, 0);
  };
}
