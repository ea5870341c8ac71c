import { createChance, type Chance } from "../chance.ts";
import type { Brush, MakeSurface, Surface } from "../picture/stage.ts";
import { mentions, vocabulary, wordsOf } from "../words.ts";
import { paintStrokes } from "./brush-strokes.ts";

/** Ways to treat a whole picture. */
export type Finish = "strokes" | "sketch" | "pixels" | "mono" | "sepia" | "soft" | "vivid" | "matte" | "dramatic";

const finishWords = vocabulary<Finish>({
  strokes: "watercolor watercolour oil painting painted painterly impressionist impressionism gouache acrylic gogh monet canvas",
  sketch: "pencil drawing charcoal etching engraving",
  pixels: "pixel pixelated pixelart voxel mosaic",
  mono: "monochrome grayscale greyscale noir",
  sepia: "vintage retro antique nostalgic daguerreotype",
  soft: "blurred blurry dreamy bokeh hazy ethereal",
  vivid: "vibrant colorful colourful saturated psychedelic",
  matte: "faded pastel muted matte",
  dramatic: "dramatic cinematic moody",
});

/** Treats the picture in all the ways that the prompt names; the one given is used up. */
export function finishAs(picture: Surface, prompt: string, seed: number, surface: MakeSurface): Surface {
  const chance = createChance("finish", seed);
  return finishesIn(prompt).reduce((done, finish) => applyFinish(done, finish, chance, surface), picture);
}

function finishesIn(prompt: string): Finish[] {
  const found = mentions(wordsOf(prompt), finishWords);
  const grey = /\b(black[- ]and[- ]white|b&w)\b/i.test(prompt) && !found.includes("mono");
  return grey ? [...found, "mono"] : found;
}

/** Gives back the treated picture; the one given is used up. */
export function applyFinish(picture: Surface, finish: Finish, chance: Chance, surface: MakeSurface): Surface {
  switch (finish) {
    case "strokes":
      return paintStrokes(picture, chance, surface);
    case "sketch":
      return sketch(picture, surface);
    case "pixels":
      return pixelate(picture, surface);
    case "mono":
      return filtered(picture, "grayscale(1) contrast(1.15)", surface);
    case "sepia":
      return filtered(picture, "sepia(0.75) contrast(0.95) brightness(1.03)", surface);
    case "soft":
      return soften(picture, surface);
    case "vivid":
      return filtered(picture, "saturate(1.45) contrast(1.06)", surface);
    case "matte":
      return filtered(picture, "saturate(0.7) contrast(0.84) brightness(1.1) sepia(0.12)", surface);
    case "dramatic":
      return filtered(picture, "contrast(1.28) saturate(0.85) brightness(0.94)", surface);
  }
}

/** The picture drawn anew through a filter in the notation of CSS. */
function filtered(picture: Surface, filter: string, surface: MakeSurface): Surface {
  return redraw(picture, surface, (brush) => {
    brush.filter = filter;
    brush.drawImage(picture, 0, 0);
  });
}

/** Frees the pixels of a surface that is no longer needed, without waiting for the collector. */
export function release(...pictures: Surface[]): void {
  for (const picture of pictures) {
    picture.width = 1;
    picture.height = 1;
  }
}

function redraw(picture: Surface, surface: MakeSurface, draw: (brush: Brush) => void): Surface {
  const sheet = surface(picture.width, picture.height);
  drawInBands(sheet, draw);
  release(picture);
  return sheet;
}

/** Draws strip by strip: a filter needs room several times the size of what it works on. */
export function drawInBands(sheet: Surface, draw: (brush: Brush) => void): void {
  const brush = sheet.getContext("2d");
  for (let top = 0; top < sheet.height; top += bandRows) {
    brush.save();
    brush.beginPath();
    brush.rect(0, top, sheet.width, bandRows);
    brush.clip();
    draw(brush);
    brush.restore();
    settle(brush);
  }
}

const bandRows = 512;

/** Drawing is only noted down until someone looks: after this, what was drawn from may be freed. */
export function settle(brush: Brush): void {
  brush.getImageData(0, 0, 1, 1);
}

/** Paper and graphite: what differs from its surroundings becomes a line. */
function sketch(picture: Surface, surface: MakeSurface): Surface {
  const negative = blurred(picture, "grayscale(1) invert(1)", Math.max(1, Math.min(picture.width, picture.height) * 0.008), surface);
  const lines = surface(picture.width, picture.height);
  drawInBands(lines, (brush) => {
    brush.filter = "grayscale(1)";
    brush.drawImage(picture, 0, 0);
    brush.filter = "none";
    brush.globalCompositeOperation = "color-dodge";
    brush.drawImage(negative, 0, 0, picture.width, picture.height);
  });
  const drawing = redraw(picture, surface, (brush) => {
    // Lines alone leave large shapes empty: a little of their tone stays on the paper.
    brush.filter = "grayscale(1) contrast(0.35) brightness(1.9)";
    brush.drawImage(picture, 0, 0);
    brush.filter = "contrast(1.9)";
    brush.globalCompositeOperation = "multiply";
    for (let layer = 0; layer < 2; layer++) brush.drawImage(lines, 0, 0);
  });
  release(lines);
  return drawing;
}

function pixelate(picture: Surface, surface: MakeSurface): Surface {
  const block = Math.max(2, Math.round(Math.min(picture.width, picture.height) / 96));
  const small = surface(Math.ceil(picture.width / block), Math.ceil(picture.height / block));
  const brush = small.getContext("2d");
  brush.imageSmoothingQuality = "medium";
  brush.filter = "saturate(1.2) contrast(1.08)";
  brush.drawImage(picture, 0, 0, picture.width / block, picture.height / block);
  return redraw(picture, surface, (large) => {
    large.imageSmoothingEnabled = false;
    large.drawImage(small, 0, 0, small.width * block, small.height * block);
  });
}

/** A glow around whatever is light, as on a misted lens. */
function soften(picture: Surface, surface: MakeSurface): Surface {
  const glow = blurred(picture, "brightness(0.85)", Math.min(picture.width, picture.height) * 0.012, surface);
  const soft = redraw(picture, surface, (brush) => {
    brush.drawImage(picture, 0, 0);
    brush.globalAlpha = 0.4;
    brush.drawImage(glow, 0, 0, picture.width, picture.height);
    brush.globalCompositeOperation = "screen";
    brush.drawImage(glow, 0, 0, picture.width, picture.height);
  });
  release(glow);
  return soft;
}

/**
 * A blurred copy, smaller than the picture where no detail is left that would need the room. Blurred over unblurred, since at the very
 * edge of the frame a blur alone fades away.
 */
function blurred(picture: Surface, filter: string, reach: number, surface: MakeSurface): Surface {
  const shrink = Math.max(1, Math.floor(reach / 4));
  const sheet = surface(Math.ceil(picture.width / shrink), Math.ceil(picture.height / shrink));
  const brush = sheet.getContext("2d");
  brush.imageSmoothingQuality = "medium";
  for (const softening of ["", ` blur(${reach / shrink}px)`]) {
    brush.filter = filter + softening;
    brush.drawImage(picture, 0, 0, sheet.width, sheet.height);
  }
  settle(brush);
  return sheet;
}
