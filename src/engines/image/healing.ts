import type { MakeSurface, Surface } from "../picture/stage.ts";
import type { Cell } from "../picture/cover.ts";
import type { Frame } from "./easel.ts";
import { release, settle } from "./finish.ts";
import type { Mask } from "./mask.ts";
import { meetColours } from "./membrane.ts";

/**
 * Paint for the open region, as large as `cell`, that looks as if nothing had ever been there: a patch from beside it in the colours
 * around it, or those colours alone where there is no room for a patch.
 */
export function healRegion(base: Surface, { sheet, region }: Mask, cell: Cell, turn: number, surface: MakeSurface): Surface {
  const rim = Math.round(Math.max(region.width, region.height) * 0.06) + 4;
  const padded = padCell(region, base, rim);
  const donor = donorFor(padded, { x: region.width + rim, y: region.height + rim }, base, turn);
  const paint = donor === null ? blank(padded, surface) : cropped(base, donor, surface);
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
function padCell(region: Cell, frame: Frame, rim: number): Cell {
  const [left, top] = [Math.max(0, region.left - rim), Math.max(0, region.top - rim)];
  const right = Math.min(frame.width, region.left + region.width + rim);
  return { left, top, width: right - left, height: Math.min(frame.height, region.top + region.height + rim) - top };
}

/** A place beside the region where there is room for another of its size. */
function donorFor(padded: Cell, away: { x: number; y: number }, frame: Frame, turn: number): Cell | null {
  const { width, height } = padded;
  const beside = (x: number, y: number): Cell => ({ left: padded.left + x, top: padded.top + y, width, height });
  const hasRoom = ({ left, top }: Cell): boolean => left >= 0 && top >= 0 && left + width <= frame.width && top + height <= frame.height;
  // What lies at the same height is likelier to be the same thing.
  const level = [beside(away.x, 0), beside(-away.x, 0)].filter(hasRoom);
  const choice = level.length > 0 ? level : [beside(0, away.y), beside(0, -away.y)].filter(hasRoom);
  return choice[turn % Math.max(1, choice.length)] ?? null;
}

function blank({ width, height }: Cell, surface: MakeSurface): Surface {
  const sheet = surface(width, height);
  const brush = sheet.getContext("2d");
  brush.fillStyle = "#808080";
  brush.fillRect(0, 0, width, height);
  return sheet;
}

function cropped(picture: Surface, { left, top, width, height }: Cell, surface: MakeSurface): Surface {
  const sheet = surface(width, height);
  const brush = sheet.getContext("2d");
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
