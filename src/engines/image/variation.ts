import { createChance, type Chance } from "../chance.ts";
import type { MakeSurface, Surface } from "../picture/stage.ts";
import type { Frame } from "./easel.ts";
import { applyFinish, drawInBands, type Finish } from "./finish.ts";

/** The same picture seen otherwise: another crop, perhaps mirrored, in other colours and another hand; which, the seed decides. */
export function varyPicture(source: Surface, frame: Frame, seed: number, surface: MakeSurface): Surface {
  const chance = createChance("variation of a picture", seed);
  const sheet = surface(frame.width, frame.height);
  const share = chance.range(0.72, 0.9);
  const left = chance.range(0.1, 0.9) * (1 - share) * source.width;
  const top = chance.range(0.1, 0.9) * (1 - share) * source.height;
  const filter = chooseColours(chance);
  drawInBands(sheet, (brush) => {
    if (seed % 2 === 0) brush.transform(-1, 0, 0, 1, frame.width, 0);
    brush.imageSmoothingQuality = "high";
    brush.filter = filter;
    brush.drawImage(source, left, top, source.width * share, source.height * share, 0, 0, frame.width, frame.height);
  });
  return applyFinish(sheet, hands[seed % hands.length] ?? "strokes", chance, surface);
}

const hands: readonly Finish[] = ["strokes", "matte", "soft", "dramatic", "vivid"];

function chooseColours(chance: Chance): string {
  // The other way yellow soon turns to a sickly green.
  const turn = chance.maybe(0.7) ? chance.range(-38, -14) : chance.range(14, 24);
  return `hue-rotate(${turn.toFixed(1)}deg) saturate(${chance.range(0.85, 1.25).toFixed(2)}) contrast(${chance.range(0.96, 1.1).toFixed(2)})`;
}
