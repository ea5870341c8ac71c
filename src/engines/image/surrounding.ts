import type { MakeSurface, Surface } from "../picture/stage.ts";
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
  const beyond = outside(cell, frame, surface);
  feather(source, cell, frame);
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

/** Opaque wherever the source is not. */
function outside(cell: Cell, frame: Frame, surface: MakeSurface): Surface {
  const sheet = surface(frame.width, frame.height);
  const brush = sheet.getContext("2d");
  brush.fillRect(0, 0, frame.width, frame.height);
  brush.clearRect(cell.left, cell.top, cell.width, cell.height);
  return sheet;
}

const softShare = 0.1;

/** Fades the source out towards those of its edges beyond which the view goes on. */
function feather(source: Surface, cell: Cell, frame: Frame): void {
  const brush = source.getContext("2d");
  const { width, height } = cell;
  const soft = Math.min(width, height) * softShare;
  const edges: [open: boolean, from: [number, number], to: [number, number]][] = [
    [cell.left > 0, [0, 0], [soft, 0]],
    [cell.left + width < frame.width, [width, 0], [width - soft, 0]],
    [cell.top > 0, [0, 0], [0, soft]],
    [cell.top + height < frame.height, [0, height], [0, height - soft]],
  ];
  brush.globalCompositeOperation = "destination-in";
  for (const [open, from, to] of edges) {
    if (!open) continue;
    const fade = brush.createLinearGradient(...from, ...to);
    // Rises slowly at both ends, so that no line shows where it begins.
    for (let step = 0; step <= 8; step++) fade.addColorStop(step / 8, `rgba(0, 0, 0, ${eased(step / 8).toFixed(3)})`);
    brush.fillStyle = fade;
    brush.fillRect(0, 0, width, height);
  }
  brush.globalCompositeOperation = "source-over";
  settle(brush);
}

function eased(share: number): number {
  return share * share * (3 - 2 * share);
}
