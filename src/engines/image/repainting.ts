import type { MakeSurface, Surface } from "../picture/stage.ts";
import type { Cell } from "../picture/cover.ts";
import { layOutSources } from "./collage.ts";
import type { Frame } from "./easel.ts";
import { editPicture } from "./edit.ts";
import { finishAs, release, settle } from "./finish.ts";
import { healRegion } from "./healing.ts";
import { openMask } from "./mask.ts";
import { drawScene, planStill } from "./still-scene.ts";

/** What is to be repainted, with what; `keepClear` leaves transparent parts of the source as they are. */
export type Repainting = { prompt: string; sourcePaths: readonly string[]; maskPath: string; keepClear: boolean };

/**
 * Repaints what the mask leaves open of the first source, and nothing else: with the prompt's scene, with the further sources in
 * that scene's light, or without a prompt with what lies around it. The result draws one picture for each seed.
 */
export async function prepareRepainting(wish: Repainting, frame: Frame, surface: MakeSurface): Promise<(seed: number) => Surface> {
  const { prompt, sourcePaths, maskPath } = wish;
  const base = await layOutSources(sourcePaths.slice(0, 1), frame, surface);
  const mask = await openMask(maskPath, frame, surface);
  const cell = paintingCell(mask.region, frame);
  const others = sourcePaths.length > 1 ? await layOutSources(sourcePaths.slice(1), cell, surface) : null;
  // Whoever says nothing of what should be there wants what is there gone.
  const freshPaint = (seed: number): Surface =>
    prompt.trim() === "" ? healRegion(base, mask, cell, seed, surface) : drawScene(cell, planStill(prompt, seed), surface);
  return (seed) => {
    const fresh = others === null ? freshPaint(seed) : editPicture(others, cell, prompt, seed, surface);
    const paint = finishAs(fresh, prompt, seed, surface);
    const picture = surface(frame.width, frame.height);
    const brush = picture.getContext("2d");
    // A source is often handed in with its hole cut out: what is below must show through the soft edge.
    if (!wish.keepClear) brush.drawImage(paint, cell.left, cell.top);
    brush.drawImage(base, 0, 0);
    settle(brush);
    brush.drawImage(keepWithin(paint, mask.sheet, cell), cell.left, cell.top);
    settle(brush);
    release(paint);
    return picture;
  };
}

/** A small region gets a scene of its own size; through a large one the scene is seen as if it filled the frame. */
function paintingCell(region: Cell, { width, height }: Frame): Cell {
  const large = region.width * region.height > width * height * 0.6;
  return large ? { left: 0, top: 0, width, height } : region;
}

/** Takes away what lies outside the outline, whose corner is up and left of the picture's by so much. */
export function keepWithin(picture: Surface, outline: Surface, { left, top }: { left: number; top: number }): Surface {
  const brush = picture.getContext("2d");
  brush.globalCompositeOperation = "destination-in";
  brush.drawImage(outline, -left, -top);
  brush.globalCompositeOperation = "source-over";
  settle(brush);
  return picture;
}
