import type { Image } from "@napi-rs/canvas";
import type { Brush, Surface } from "./stage.ts";

/** A part of a frame. */
export type Cell = { left: number; top: number; width: number; height: number };

/** Draws the middle of the picture that has the cell's ratio; only that part is asked for, however long the picture is. */
export function coverCell(brush: Brush, image: Image | Surface, cell: Cell): void {
  const scale = Math.max(cell.width / image.width, cell.height / image.height);
  const width = cell.width / scale;
  const height = cell.height / scale;
  const left = (image.width - width) / 2;
  const top = (image.height - height) / 2;
  // "High" blurs even what keeps its size and leaves out pixels when it reduces; "medium" takes all of them into account.
  brush.imageSmoothingEnabled = scale !== 1;
  brush.imageSmoothingQuality = scale > 1 ? "high" : "medium";
  brush.drawImage(image, left, top, width, height, cell.left, cell.top, cell.width, cell.height);
}
