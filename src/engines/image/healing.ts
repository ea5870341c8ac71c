import type { MakeSurface, Surface } from "../picture/stage.ts";
import type { Cell } from "../picture/cover.ts";
import type { Frame } from "./easel.ts";
import { release, settle } from "./finish.ts";
import type { Mask } from "./mask.ts";
import { meetColours } from "./membrane.ts";

/** Paint for the open region, as large as `cell`, that looks as if nothing had ever been there: a patch from beside it in the colours around it. */
export function healRegion(base: Surface, { sheet, region }: Mask, cell: Cell, turn: number, surface: MakeSurface): Surface {
  const padded = padCell(region, base);
  const { x, y, mirrored } = donorFor(padded, base, turn);
  const paint = cropped(base, { ...padded, left: padded.left + x, top: padded.top + y }, surface, mirrored);
  const ground = cropped(base, padded, surface);
  const open = cropped(sheet, padded, surface);
  meetColours(paint, ground, hardened(open), surface);
  const whole = surface(cell.width, cell.height);
  const brush = whole.getContext("2d");
  brush.drawImage(paint, padded.left - cell.left, padded.top - cell.top);
  settle(brush);
  release(paint, ground, open);
  return whole;
}

/** The region with a rim of what is to be kept around it. */
function padCell(region: Cell, frame: Frame): Cell {
  const rim = Math.round(Math.max(region.width, region.height) * 0.2) + 4;
  const [left, top] = [Math.max(0, region.left - rim), Math.max(0, region.top - rim)];
  const right = Math.min(frame.width, region.left + region.width + rim);
  return { left, top, width: right - left, height: Math.min(frame.height, region.top + region.height + rim) - top };
}

/** Beside the region where there is room for another of its size, else its own mirror image. */
function donorFor({ left, top, width, height }: Cell, frame: Frame, turn: number): { x: number; y: number; mirrored: boolean } {
  const ways = [
    { x: width, y: 0 },
    { x: -width, y: 0 },
    { x: 0, y: height },
    { x: 0, y: -height },
  ].filter(({ x, y }) => left + x >= 0 && left + x + width <= frame.width && top + y >= 0 && top + y + height <= frame.height);
  // What lies at the same height is likelier to be the same thing.
  const level = ways.filter(({ y }) => y === 0);
  const choice = level.length > 0 ? level : ways;
  const way = choice[turn % Math.max(1, choice.length)];
  return way === undefined ? { x: 0, y: 0, mirrored: true } : { ...way, mirrored: false };
}

function cropped(picture: Surface, { left, top, width, height }: Cell, surface: MakeSurface, mirrored = false): Surface {
  const sheet = surface(width, height);
  const brush = sheet.getContext("2d");
  if (mirrored) brush.transform(-1, 0, 0, 1, width, 0);
  brush.drawImage(picture, -left, -top);
  settle(brush);
  return sheet;
}

/** Opaque wherever it is not quite clear: the fading rim of a mask belongs to what is painted. */
function hardened(open: Surface): Surface {
  const brush = open.getContext("2d");
  for (let layer = 0; layer < 4; layer++) brush.drawImage(open, 0, 0);
  settle(brush);
  return open;
}
