import type { PictureLimits } from "../core/provider.ts";
import { PictureError, type Sides } from "./picture-job.ts";

/** By how much a picture is scaled so that its sides are within limits: 1 where they are. */
export function scaleOf({ width, height }: Sides, { maxSide = Number.POSITIVE_INFINITY, minSide = 1 }: PictureLimits): number {
  const most = maxSide / Math.max(width, height);
  const least = minSide / Math.min(width, height);
  if (least > most) throw new PictureError(`The picture is too narrow: its sides must be between ${minSide} and ${maxSide} pixels.`);
  return Math.min(Math.max(1, least), most);
}

export function sidesOf({ width, height }: Sides, scale: number): Sides {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Whether two pictures have one shape, but for what rounding to whole pixels may have cost. */
export function isSameShape(one: Sides, other: Sides): boolean {
  const most = Math.max(one.width + one.height, other.width + other.height) / 2;
  return Math.abs(one.width * other.height - one.height * other.width) <= most;
}
