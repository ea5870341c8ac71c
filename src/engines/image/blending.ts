import { createChance } from "../chance.ts";
import type { MakeSurface, Surface } from "../picture/stage.ts";
import { layOutSources } from "./collage.ts";
import type { Frame } from "./easel.ts";
import { release, settle } from "./finish.ts";
import { varyPicture } from "./variation.ts";

/** Makes one picture of several: each passes softly into the next, from a side that the seed decides, and all share one tone. */
export async function prepareBlending(paths: readonly string[], frame: Frame, surface: MakeSurface): Promise<(seed: number) => Surface> {
  const sources: Surface[] = [];
  for (const path of paths) sources.push(await layOutSources([path], frame, surface));
  return (seed) => {
    const chance = createChance("blending", seed);
    const turn = chance.range(0, Math.PI * 2);
    const mixed = surface(frame.width, frame.height);
    const brush = mixed.getContext("2d");
    sources.forEach((source, index) => {
      if (index === 0) return brush.drawImage(source, 0, 0);
      const veil = fading(source, frame, turn + (index * Math.PI * 2) / sources.length, surface);
      brush.drawImage(veil, 0, 0);
      settle(brush);
      release(veil);
    });
    // What all of them have in common is the light.
    brush.globalCompositeOperation = "soft-light";
    brush.globalAlpha = 0.35;
    for (const source of sources.slice(0, 2)) brush.drawImage(source, 0, 0);
    brush.globalCompositeOperation = "source-over";
    brush.globalAlpha = 1;
    settle(brush);
    const varied = varyPicture(mixed, frame, seed, surface, 0.2);
    release(mixed);
    return varied;
  };
}

/** A copy that is opaque on one side and gone on the other. */
function fading(source: Surface, { width, height }: Frame, angle: number, surface: MakeSurface): Surface {
  const sheet = surface(width, height);
  const brush = sheet.getContext("2d");
  brush.drawImage(source, 0, 0);
  const [x, y] = [(Math.cos(angle) * width) / 2, (Math.sin(angle) * height) / 2];
  const fade = brush.createLinearGradient(width / 2 + x, height / 2 + y, width / 2 - x, height / 2 - y);
  fade.addColorStop(0, "rgba(0, 0, 0, 1)");
  fade.addColorStop(0.3, "rgba(0, 0, 0, 0.85)");
  fade.addColorStop(0.75, "rgba(0, 0, 0, 0.12)");
  fade.addColorStop(1, "rgba(0, 0, 0, 0)");
  brush.globalCompositeOperation = "destination-in";
  brush.fillStyle = fade;
  brush.fillRect(0, 0, width, height);
  return sheet;
}
