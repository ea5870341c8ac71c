import { createChance, type Chance } from "../chance.ts";
import type { MakeSurface, Surface } from "../picture/stage.ts";
import type { Frame } from "./easel.ts";
import { applyFinish, drawInBands, release, settle, type Finish } from "./finish.ts";

/** A variation goes this far unless told otherwise, and is nothing but the source at 0. */
const usualStrength = 0.75;

/** The same picture seen otherwise: another crop, perhaps mirrored, in other colours and another hand; which, the seed decides. */
export function varyPicture(source: Surface, frame: Frame, seed: number, surface: MakeSurface, strength = usualStrength): Surface {
  const far = Math.min(1, strength / usualStrength);
  const chance = createChance("variation of a picture", seed);
  const sheet = surface(frame.width, frame.height);
  const share = 1 - (1 - chance.range(0.72, 0.9)) * far;
  const left = chance.range(0.1, 0.9) * (1 - share) * source.width;
  const top = chance.range(0.1, 0.9) * (1 - share) * source.height;
  const filter = chooseColours(chance, far);
  drawInBands(sheet, (brush) => {
    // Whoever wants a subtle change wants to find everything where it was.
    if (far > 0.8 && seed % 2 === 0) brush.transform(-1, 0, 0, 1, frame.width, 0);
    brush.imageSmoothingQuality = "high";
    brush.filter = filter;
    brush.drawImage(source, left, top, source.width * share, source.height * share, 0, 0, frame.width, frame.height);
  });
  const hand = hands[seed % hands.length] ?? "strokes";
  return far === 1 ? applyFinish(sheet, hand, chance, surface) : finishPartly(sheet, hand, far, chance, surface);
}

const hands: readonly Finish[] = ["strokes", "matte", "soft", "dramatic", "vivid"];

function chooseColours(chance: Chance, far: number): string {
  // The other way yellow soon turns to a sickly green.
  const turn = (chance.maybe(0.7) ? chance.range(-38, -14) : chance.range(14, 24)) * far * far;
  const around = (low: number, high: number): string => (1 + (chance.range(low, high) - 1) * far).toFixed(2);
  return `hue-rotate(${turn.toFixed(1)}deg) saturate(${around(0.85, 1.25)}) contrast(${around(0.96, 1.1)})`;
}

/** The treated picture laid over the plain one, the fainter the nearer it is to stay. */
function finishPartly(sheet: Surface, hand: Finish, far: number, chance: Chance, surface: MakeSurface): Surface {
  const plain = surface(sheet.width, sheet.height);
  const brush = plain.getContext("2d");
  brush.drawImage(sheet, 0, 0);
  settle(brush);
  const treated = applyFinish(sheet, hand, chance, surface);
  brush.globalAlpha = far * far;
  brush.drawImage(treated, 0, 0);
  brush.globalAlpha = 1;
  settle(brush);
  release(treated);
  return plain;
}
