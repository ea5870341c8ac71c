import type { Brush, MakeSurface, Surface } from "../picture/stage.ts";
import { coverCell, type Cell } from "../picture/cover.ts";
import { layOutSources } from "./collage.ts";
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
  const beyond = outside(cell, frame, surface);
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

/** Opaque wherever the source is not, and in those of its corners that fade. */
function outside(cell: Cell, frame: Frame, surface: MakeSurface): Surface {
  const sheet = surface(frame.width, frame.height);
  const brush = sheet.getContext("2d");
  brush.fillRect(0, 0, frame.width, frame.height);
  brush.clearRect(cell.left, cell.top, cell.width, cell.height);
  for (const { x, y } of fadingCorners(cell, frame)) {
    brush.beginPath();
    brush.arc(cell.left + x, cell.top + y, softness(cell) * cornerReach, 0, Math.PI * 2);
    brush.fill();
  }
  return sheet;
}

/** How far the source fades at an edge, as a share of its shorter side; and how many times as far at a corner. */
const softShare = 0.1;
const cornerReach = 3.4;

function softness({ width, height }: Cell): number {
  return Math.min(width, height) * softShare;
}

type Edges = { left: boolean; right: boolean; top: boolean; bottom: boolean };

/** Beyond which edges of the source the view goes on. */
function openEdges({ left, top, width, height }: Cell, frame: Frame): Edges {
  return { left: left > 0, right: left + width < frame.width, top: top > 0, bottom: top + height < frame.height };
}

/** The corners at which an edge is open, as places in the source. */
function fadingCorners(cell: Cell, frame: Frame): { x: number; y: number }[] {
  const { left, right, top, bottom } = openEdges(cell, frame);
  return [
    { open: left || top, x: 0, y: 0 },
    { open: right || top, x: cell.width, y: 0 },
    { open: left || bottom, x: 0, y: cell.height },
    { open: right || bottom, x: cell.width, y: cell.height },
  ].filter(({ open }) => open);
}

/** Fades the source out towards its open edges; corners further, since lenses and painters darken them. */
function feather(source: Surface, cell: Cell, frame: Frame): void {
  const brush = source.getContext("2d");
  const { width, height } = cell;
  const soft = softness(cell);
  const { left, right, top, bottom } = openEdges(cell, frame);
  brush.globalCompositeOperation = "destination-out";
  if (left) fadeFrom(brush, cell, brush.createLinearGradient(0, 0, soft, 0));
  if (right) fadeFrom(brush, cell, brush.createLinearGradient(width, 0, width - soft, 0));
  if (top) fadeFrom(brush, cell, brush.createLinearGradient(0, 0, 0, soft));
  if (bottom) fadeFrom(brush, cell, brush.createLinearGradient(0, height, 0, height - soft));
  for (const { x, y } of fadingCorners(cell, frame))
    fadeFrom(brush, cell, brush.createRadialGradient(x, y, soft, x, y, soft * cornerReach));
  brush.globalCompositeOperation = "source-over";
  settle(brush);
}

/** Takes away everything at the beginning of the gradient and nothing at its end, slowly at both, so that no line shows. */
function fadeFrom(brush: Brush, { width, height }: Frame, fade: ReturnType<Brush["createLinearGradient"]>): void {
  for (let step = 0; step <= 8; step++) {
    const share = 1 - step / 8;
    fade.addColorStop(step / 8, `rgba(0, 0, 0, ${(share * share * (3 - 2 * share)).toFixed(3)})`);
  }
  brush.fillStyle = fade;
  brush.fillRect(0, 0, width, height);
}
