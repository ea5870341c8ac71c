import type { Layer, MakeSurface, Surface } from "../picture/stage.ts";
import type { Brush } from "../picture/stage.ts";
import { framesPerSecond } from "./mp4.ts";

/** Draws one frame after the other; frames are asked for in order, each once. */
export type Paint = (brush: Brush, index: number) => void | Promise<void>;

export type Frame = { width: number; height: number };

/** A scene from its beginning to its end; a short one drifts less far, so that the camera never rushes. */
export function playScene(draw: Layer, count: number): Paint {
  const reach = driftReach(count);
  return (brush, index) => draw(brush, { seconds: index / framesPerSecond, pan: (index / count - 0.5) * reach });
}

/** How long the end of a loop passes over into its beginning, as a share of all. */
const overlapShare = 0.25;
const longestOverlap = framesPerSecond * 1.5;

/** The same as a ring: it begins a little into the scene, and its last moments pass over into what comes before that. */
export function loopScene(draw: Layer, count: number, { width, height }: Frame, surface: MakeSurface): Paint {
  const overlap = Math.round(Math.min(longestOverlap, count * overlapShare));
  const reach = driftReach(count);
  const at = (index: number) => ({ seconds: index / framesPerSecond, pan: (index / (count + overlap) - 0.5) * reach });
  const sheet = surface(width, height);
  return (brush, index) => {
    draw(brush, at(index + overlap));
    const into = index - (count - overlap);
    if (into < 0) return;
    draw(sheet.getContext("2d"), at(into));
    layOver(brush, sheet, (into + 1) / (overlap + 1));
  };
}

/** How many frames of our rate a film of so many seconds has at which the camera may go all its way. */
function driftReach(count: number): number {
  return Math.min(1, count / framesPerSecond / 6);
}

/** How long a picture takes to appear at the end, at most. */
const longestEnding = framesPerSecond * 2;

/** Lets a picture appear over the end, still and whole with the last frame. */
export function endOn(paint: Paint, picture: () => Surface, count: number): Paint {
  const length = Math.max(1, Math.round(Math.min(longestEnding, count * 0.45)));
  return async (brush, index) => {
    await paint(brush, index);
    const share = (index - (count - 1 - length)) / length;
    if (share <= 0) return;
    const closer = 1 + 0.04 * (1 - eased(share));
    layOver(brush, picture(), eased(share), closer);
  };
}

/** Draws a picture of the frame's size over what is there, so much opaque and so many times as large around its middle. */
export function layOver(brush: Brush, picture: Surface, opacity: number, times = 1): void {
  const { width, height } = picture;
  brush.save();
  brush.globalAlpha = Math.min(1, Math.max(0, opacity));
  brush.drawImage(picture, (width - width * times) / 2, (height - height * times) / 2, width * times, height * times);
  brush.restore();
}

export function eased(share: number): number {
  const within = Math.min(1, Math.max(0, share));
  return within * within * (3 - 2 * within);
}
