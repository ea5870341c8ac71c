import { coverCell, type Cell } from "../picture/cover.ts";
import { openSourceImage } from "../picture/source-image.ts";
import type { MakeSurface, Surface } from "../picture/stage.ts";
import type { Frame } from "./easel.ts";
import { settle } from "./finish.ts";

/** Sources and masks with more pixels are refused. */
export const maxSourcePixels = 50_000_000;

/** One source fills the frame; several share it in reading order, with a fine line between them. */
export async function layOutSources(paths: readonly string[], frame: Frame, surface: MakeSurface): Promise<Surface> {
  const sheet = surface(frame.width, frame.height);
  const brush = sheet.getContext("2d");
  const cells = cellsFor(paths.length, frame);
  for (const [index, path] of paths.entries()) {
    const image = await openSourceImage(path, { maxPixels: maxSourcePixels });
    const cell = cells[index];
    if (cell !== undefined) coverCell(brush, image, cell);
    // A source may be far larger than the frame, and several may follow.
    settle(brush);
    image.src = new Uint8Array();
  }
  return sheet;
}

/** A source at its own size. */
export async function openSource(path: string, surface: MakeSurface): Promise<Surface> {
  const image = await openSourceImage(path, { maxPixels: maxSourcePixels });
  const sheet = surface(image.width, image.height);
  const brush = sheet.getContext("2d");
  brush.drawImage(image, 0, 0);
  settle(brush);
  image.src = new Uint8Array();
  return sheet;
}

/** Rows as even as they can be; a wide frame has more columns than a tall one. */
export function cellsFor(count: number, { width, height }: Frame): Cell[] {
  const columns = Math.min(count, Math.max(1, Math.round(Math.sqrt((count * width) / height) + 0.2)));
  const rows = Math.ceil(count / columns);
  const gap = count === 1 ? 0 : Math.max(1, Math.round(Math.min(width, height) * 0.008));
  return Array.from({ length: rows }, (_, row) => {
    const first = Math.floor((row * count) / rows);
    const inRow = Math.floor(((row + 1) * count) / rows) - first;
    const [top, tall] = stretch(row, rows, height, gap);
    return Array.from({ length: inRow }, (__, column) => {
      const [left, wide] = stretch(column, inRow, width, gap);
      return { left, top, width: wide, height: tall };
    });
  }).flat();
}

function stretch(index: number, count: number, length: number, gap: number): [start: number, size: number] {
  const share = (length - gap * (count - 1)) / count;
  const start = Math.round(index * (share + gap));
  return [start, Math.max(1, Math.round(index * (share + gap) + share) - start)];
}
