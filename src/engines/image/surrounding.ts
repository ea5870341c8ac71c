import type { Brush, MakeSurface, Surface } from "../picture/stage.ts";
import { coverCell, layOutSources, type Cell } from "./collage.ts";
import type { Frame } from "./easel.ts";
import { finishAs, settle } from "./finish.ts";
import { meetColours } from "./membrane.ts";
import { drawScenery, planStill } from "./still-scene.ts";

/** The picture that is shown within a larger view, and where it lies there: shares of the frame. */
export type Surrounding = { prompt: string; sourcePath: string; place: Cell };

/** Shows more around a picture: the prompt's place goes on beyond its edges, in the colours that the picture has there. */
export async function prepareSurrounding(
  { prompt, sourcePath, place }: Surrounding,
  frame: Frame,
  surface: MakeSurface,
): Promise<(seed: number) => Surface> {
  const cell = cellAt(place, frame);
  const source = await layOutSources([sourcePath], cell, surface);
  const ground = surface(frame.width, frame.height);
  coverCell(ground.getContext("2d"), source, cell);
  feather(source, cell, frame);
  const beyond = outside(source, cell, frame, surface);
  return (seed) => {
    const scenery = finishAs(drawScenery(frame, planStill(prompt, seed), cell, surface), prompt, seed, surface);
    meetColours(scenery, ground, beyond, surface);
    const brush = scenery.getContext("2d");
    brush.drawImage(source, cell.left, cell.top);
    settle(brush);
    return scenery;
  };
}

function cellAt({ left, top, width, height }: Cell, frame: Frame): Cell {
  const [x, y] = [Math.round(left * frame.width), Math.round(top * frame.height)];
  return { left: x, top: y, width: Math.round((left + width) * frame.width) - x, height: Math.round((top + height) * frame.height) - y };
}

/** Opaque wherever the source is not, or not quite. */
function outside(source: Surface, cell: Cell, frame: Frame, surface: MakeSurface): Surface {
  const sheet = surface(frame.width, frame.height);
  const brush = sheet.getContext("2d");
  brush.fillRect(0, 0, frame.width, frame.height);
  brush.globalCompositeOperation = "destination-out";
  brush.drawImage(source, cell.left, cell.top);
  settle(brush);
  return sheet;
}

const softShare = 0.1;

/** Fades the source out towards those of its edges beyond which the view goes on; corners further, since lenses and painters darken them. */
function feather(source: Surface, cell: Cell, frame: Frame): void {
  const brush = source.getContext("2d");
  const { width, height } = cell;
  const soft = Math.min(width, height) * softShare;
  const left = cell.left > 0;
  const right = cell.left + width < frame.width;
  const top = cell.top > 0;
  const bottom = cell.top + height < frame.height;
  brush.globalCompositeOperation = "destination-out";
  if (left) fadeFrom(brush, cell, brush.createLinearGradient(0, 0, soft, 0));
  if (right) fadeFrom(brush, cell, brush.createLinearGradient(width, 0, width - soft, 0));
  if (top) fadeFrom(brush, cell, brush.createLinearGradient(0, 0, 0, soft));
  if (bottom) fadeFrom(brush, cell, brush.createLinearGradient(0, height, 0, height - soft));
  const corners: [open: boolean, x: number, y: number][] = [
    [left || top, 0, 0],
    [right || top, width, 0],
    [left || bottom, 0, height],
    [right || bottom, width, height],
  ];
  for (const [open, x, y] of corners) if (open) fadeFrom(brush, cell, brush.createRadialGradient(x, y, soft, x, y, soft * cornerReach));
  brush.globalCompositeOperation = "source-over";
  settle(brush);
}

const cornerReach = 3.4;

/** Takes away everything at the beginning of the gradient and nothing at its end, slowly at both, so that no line shows. */
function fadeFrom(brush: Brush, { width, height }: Frame, fade: ReturnType<Brush["createLinearGradient"]>): void {
  for (let step = 0; step <= 8; step++) {
    const share = 1 - step / 8;
    fade.addColorStop(step / 8, `rgba(0, 0, 0, ${(share * share * (3 - 2 * share)).toFixed(3)})`);
  }
  brush.fillStyle = fade;
  brush.fillRect(0, 0, width, height);
}
