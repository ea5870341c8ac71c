import type { ScenePlan } from "../picture/scene-plan.ts";
import { createStage, type Brush, type MakeSurface, type Stage, type Surface } from "../picture/stage.ts";

/** The picture that is wanted, in pixels. */
export type Frame = { width: number; height: number };

/** Draws on a stage of a size that scenes look good at, and gives back the picture at exactly the size of the frame. */
export function drawStaged(frame: Frame, plan: ScenePlan, surface: MakeSurface, paint: (brush: Brush, stage: Stage) => void): Surface {
  const { stageFrame, enlarge, reduce } = fitStage(frame);
  const sheet = surface(frame.width * reduce, frame.height * reduce);
  const brush = sheet.getContext("2d");
  brush.scale(enlarge, enlarge);
  paint(brush, createStage(stageFrame.width, stageFrame.height, plan, surface, true));
  brush.resetTransform();
  return reduce === 1 ? sheet : shrink(sheet, frame, surface);
}

/**
 * Whole factors only, so that edges that meet on the stage also meet in the picture. A large picture is the same scene enlarged,
 * not one with smaller things in it; a small one is drawn larger and reduced, since thin lines would be lost otherwise.
 */
export function fitStage({ width, height }: Frame): { stageFrame: Frame; enlarge: number; reduce: number } {
  const unit = Math.min(height, width * 1.2);
  const enlarge = Math.max(1, Math.round(unit / 1024));
  const affordable = Math.floor(Math.min(Math.sqrt(maxSheetPixels / (width * height)), maxSheetSide / Math.max(width, height)));
  const reduce = enlarge > 1 ? 1 : Math.max(1, Math.min(Math.ceil(512 / unit), affordable));
  const onStage = (pixels: number): number => (enlarge > 1 ? Math.ceil(pixels / enlarge) : pixels * reduce);
  return { stageFrame: { width: onStage(width), height: onStage(height) }, enlarge, reduce };
}

const maxSheetPixels = 4_000_000;
const maxSheetSide = 16_000;

function shrink(sheet: Surface, { width, height }: Frame, surface: MakeSurface): Surface {
  const small = surface(width, height);
  const brush = small.getContext("2d");
  brush.imageSmoothingQuality = "medium";
  brush.drawImage(sheet, 0, 0, width, height);
  return small;
}
