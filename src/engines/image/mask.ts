import { setImmediate as nextTurn } from "node:timers/promises";
import { EngineError } from "../engine-error.ts";
import { openSourceImage } from "../picture/source-image.ts";
import type { MakeSurface, Surface } from "../picture/stage.ts";
import { coverCell, type Cell } from "../picture/cover.ts";
import { maxSourcePixels } from "./collage.ts";
import type { Frame } from "./easel.ts";
import { release, settle } from "./finish.ts";

/** `sheet` is opaque where to paint, fading towards the edges of the region from inside: outside it stays clear. */
export type Mask = { sheet: Surface; /** The smallest box around the region. */ region: Cell };

/** Opens a mask; one that leaves nothing to paint is an EngineError "invalid" with a sentence. */
export async function openMask(path: string, frame: Frame, surface: MakeSurface): Promise<Mask> {
  const open = await readRegion(path, frame, surface);
  const region = boundsOf(open, frame);
  if (region === null) throw new EngineError("invalid", "The mask has no transparent and no white pixels, so nothing may be painted.");
  const sheet = surface(frame.width, frame.height);
  writeRegion(sheet, feather(open, frame, featherReach(open, frame)));
  return { sheet, region };
}

/** 255 where the mask is transparent; where all of it is opaque, 255 where it is white. */
async function readRegion(path: string, frame: Frame, surface: MakeSurface): Promise<Uint8Array> {
  const image = await openSourceImage(path, { name: "mask", maxPixels: maxSourcePixels });
  const scan = surface(frame.width, frame.height);
  const brush = scan.getContext("2d");
  coverCell(brush, image, { left: 0, top: 0, ...frame });
  settle(brush);
  image.src = new Uint8Array();
  const region = new Uint8Array(frame.width * frame.height);
  const light = new Uint8Array(frame.width * frame.height);
  let clearest = 0;
  for (let top = 0; top < frame.height; top += bandRows) {
    const { data } = brush.getImageData(0, top, frame.width, Math.min(bandRows, frame.height - top));
    const start = top * frame.width;
    for (let at = 0; at < data.length / 4; at++) {
      const clear = 255 - (data[at * 4 + 3] ?? 255);
      region[start + at] = clear;
      light[start + at] = ((data[at * 4] ?? 0) + (data[at * 4 + 1] ?? 0) + (data[at * 4 + 2] ?? 0)) / 3;
      if (clear > clearest) clearest = clear;
    }
    // The band's pixels are only freed between turns of the event loop.
    await nextTurn();
  }
  release(scan);
  // Scaling may leave a hair of transparency at the rim of an opaque picture.
  return clearest > 127 ? region : light;
}

const bandRows = 256;

/** Written in bands, so that the whole is not held twice. */
function writeRegion(sheet: Surface, region: Uint8Array): void {
  const brush = sheet.getContext("2d");
  const band = brush.createImageData(sheet.width, Math.min(bandRows, sheet.height));
  for (let top = 0; top < sheet.height; top += bandRows) {
    const start = top * sheet.width;
    for (let at = 0; at < band.data.length / 4; at++) band.data[at * 4 + 3] = region[start + at] ?? 0;
    brush.putImageData(band, 0, top);
    settle(brush);
  }
}

function boundsOf(region: Uint8Array, { width, height }: Frame): Cell | null {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((region[y * width + x] ?? 0) < 128) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** How far the edge is softened: a small share of the picture, and less where the region is thin. */
function featherReach(region: Uint8Array, { width, height }: Frame): number {
  let area = 0;
  let edge = 0;
  for (let at = 0; at < region.length; at++) {
    const inside = (region[at] ?? 0) > 127;
    if (inside) area++;
    if (inside !== (region[at - 1] ?? 0) > 127) edge++;
  }
  const thickness = area / Math.max(1, edge);
  return Math.max(1, Math.round(Math.min(Math.min(width, height) * 0.035, thickness / 2)));
}

/** Where the blurred region is half or less it ends; the original region limits it, so nothing spills. */
function feather(region: Uint8Array, { width, height }: Frame, reach: number): Uint8Array {
  const soft = blurLines(region, width, height, reach, 1, width);
  const blurred = blurLines(soft, height, width, reach, width, 1);
  for (let at = 0; at < blurred.length; at++) {
    const share = Math.min(1, Math.max(0, ((blurred[at] ?? 0) - 118) / 118));
    blurred[at] = Math.round((region[at] ?? 0) * share * share * (3 - 2 * share));
  }
  return blurred;
}

/** A running mean along lines of pixels; beyond an end its last pixel goes on. */
function blurLines(from: Uint8Array, length: number, lines: number, reach: number, step: number, lineStep: number): Uint8Array {
  const into = new Uint8Array(from.length);
  const span = reach * 2 + 1;
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    const at = (index: number): number => from[start + Math.min(length - 1, Math.max(0, index)) * step] ?? 0;
    let sum = 0;
    for (let index = -reach; index <= reach; index++) sum += at(index);
    for (let index = 0; index < length; index++) {
      into[start + index * step] = Math.round(sum / span);
      sum += at(index + reach + 1) - at(index - reach);
    }
  }
  return into;
}
