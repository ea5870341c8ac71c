import type { Surface } from "../picture/stage.ts";
import { colourName } from "./colour-name.ts";

/** What can be measured of a picture without knowing what it shows; lightness and differences are 0 to 255, places shares of the frame. */
export type Reading = {
  /** Names of colours with the share of the picture that has them, largest first. */
  colours: { name: string; share: number }[];
  upper: string;
  lower: string;
  lightness: number;
  contrast: number;
  /** Above 0 warm, below cool. */
  warmth: number;
  /** How much neighbours differ across and down. */
  lines: { across: number; down: number };
  /** Where the picture changes at once from top to bottom; null where it does not. */
  horizon: number | null;
  /** What stands out in front of the rest; null where nothing does. */
  subject: Blob | null;
  /** A small place that is far lighter than the rest. */
  glow: { x: number; y: number } | null;
};

export type Blob = {
  colour: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** How much of its box it fills. */ fill: number;
};

type Pixels = { data: Uint8ClampedArray; width: number; height: number };

/** Measures a picture, which should be small: a hundred pixels a side tell as much as a thousand. */
export function readPicture(picture: Surface): Reading {
  const { width, height } = picture;
  const pixels: Pixels = { data: picture.getContext("2d").getImageData(0, 0, width, height).data, width, height };
  const light = Float32Array.from({ length: width * height }, (_, at) => lightOf(pixels, at));
  const lightness = light.reduce((sum, one) => sum + one, 0) / light.length;
  const contrast = Math.sqrt(light.reduce((sum, one) => sum + (one - lightness) ** 2, 0) / light.length);
  const colours = countColours(pixels, 0, height);
  return {
    colours,
    upper: countColours(pixels, 0, Math.ceil(height * 0.35))[0]?.name ?? "grey",
    lower: countColours(pixels, Math.floor(height * 0.65), height)[0]?.name ?? "grey",
    lightness,
    contrast,
    warmth: warmthOf(pixels),
    lines: linesOf(light, width, height),
    horizon: horizonOf(pixels),
    subject: subjectOf(pixels),
    glow: glowOf(light, lightness, contrast, width),
  };
}

function channel({ data }: Pixels, at: number, which: number): number {
  return data[at * 4 + which] ?? 0;
}

function lightOf(pixels: Pixels, at: number): number {
  return channel(pixels, at, 0) * 0.3 + channel(pixels, at, 1) * 0.59 + channel(pixels, at, 2) * 0.11;
}

function countColours(pixels: Pixels, top: number, bottom: number): { name: string; share: number }[] {
  const counts = new Map<string, number>();
  for (let at = top * pixels.width; at < bottom * pixels.width; at++) {
    const name = colourName(channel(pixels, at, 0), channel(pixels, at, 1), channel(pixels, at, 2));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const total = Math.max(1, (bottom - top) * pixels.width);
  return [...counts].map(([name, count]) => ({ name, share: count / total })).toSorted((one, other) => other.share - one.share);
}

function warmthOf(pixels: Pixels): number {
  let sum = 0;
  for (let at = 0; at < pixels.width * pixels.height; at++) sum += channel(pixels, at, 0) - channel(pixels, at, 2);
  return sum / (pixels.width * pixels.height);
}

function linesOf(light: Float32Array, width: number, height: number): { across: number; down: number } {
  let [across, down] = [0, 0];
  for (let y = 1; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const own = light[y * width + x] ?? 0;
      across += Math.abs(own - (light[y * width + x - 1] ?? 0));
      down += Math.abs(own - (light[(y - 1) * width + x] ?? 0));
    }
  }
  const count = Math.max(1, (width - 1) * (height - 1));
  return { across: across / count, down: down / count };
}

/** The row at which the mean colours of the rows change most, if they change at once. */
function horizonOf(pixels: Pixels): number | null {
  const { width, height } = pixels;
  const rows = Array.from({ length: height }, (_, y) =>
    [0, 1, 2].map((which) => {
      let sum = 0;
      for (let x = 0; x < width; x++) sum += channel(pixels, y * width + x, which);
      return sum / width;
    }),
  );
  const reach = Math.max(1, Math.round(height * 0.03));
  let [best, place] = [0, 0];
  for (let y = Math.ceil(height * 0.12); y < height * 0.88; y++) {
    const step = apart(rows[y - reach] ?? [], rows[Math.min(height - 1, y + reach)] ?? []);
    if (step > best) [best, place] = [step, y];
  }
  return best > 34 ? place / height : null;
}

function apart(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / 1.5;
}

/** The largest connected part around the middle that differs from the picture's rim. */
function subjectOf(pixels: Pixels): Blob | null {
  const { width, height } = pixels;
  const rim = rimColours(pixels);
  const differs = Uint8Array.from({ length: width * height }, (_, at) => {
    const side = at % width < width / 2 ? rim.left : rim.right;
    const row = Math.floor(at / width);
    const beside = side[row] ?? [];
    return apart(
      [0, 1, 2].map((which) => channel(pixels, at, which)),
      beside,
    ) > 62
      ? 1
      : 0;
  });
  const found = largestPart(differs, width, height);
  if (found === null) return null;
  const { cells, left, right, top, bottom } = found;
  const box = { width: (right - left + 1) / width, height: (bottom - top + 1) / height };
  const share = cells.length / (width * height);
  const isWide = box.width > 0.92;
  if (share < 0.015 || share > 0.6 || isWide) return null;
  const mean = [0, 1, 2].map((which) => cells.reduce((sum, at) => sum + channel(pixels, at, which), 0) / cells.length);
  return {
    colour: colourName(mean[0] ?? 0, mean[1] ?? 0, mean[2] ?? 0),
    x: (left + right + 1) / 2 / width,
    y: (top + bottom + 1) / 2 / height,
    ...box,
    fill: cells.length / ((right - left + 1) * (bottom - top + 1)),
  };
}

/** Row by row, the colour near either side: what a subject stands in front of at its own height. */
function rimColours(pixels: Pixels): { left: number[][]; right: number[][] } {
  const { width, height } = pixels;
  const depth = Math.max(1, Math.round(width * 0.06));
  const meanFrom = (start: number): number[][] =>
    Array.from({ length: height }, (_, y) =>
      [0, 1, 2].map((which) => {
        let sum = 0;
        for (let x = start; x < start + depth; x++) sum += channel(pixels, y * width + x, which);
        return sum / depth;
      }),
    );
  return { left: meanFrom(0), right: meanFrom(width - depth) };
}

type Part = { cells: number[]; left: number; right: number; top: number; bottom: number };

function largestPart(wanted: Uint8Array, width: number, height: number): Part | null {
  let best: Part | null = null;
  for (let start = 0; start < wanted.length; start++) {
    if (wanted[start] !== 1) continue;
    const cells = [start];
    wanted[start] = 2;
    const part: Part = { cells, left: width, right: 0, top: height, bottom: 0 };
    for (const at of cells) {
      const [x, y] = [at % width, Math.floor(at / width)];
      Object.assign(part, { left: Math.min(part.left, x), right: Math.max(part.right, x) });
      Object.assign(part, { top: Math.min(part.top, y), bottom: Math.max(part.bottom, y) });
      const around = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width];
      for (const next of around) {
        if (wanted[next] !== 1) continue;
        wanted[next] = 2;
        cells.push(next);
      }
    }
    if (best === null || cells.length > best.cells.length) best = part;
  }
  return best;
}

function glowOf(light: Float32Array, lightness: number, contrast: number, width: number): { x: number; y: number } | null {
  const least = Math.max(lightness + contrast * 2.2, 170);
  let [count, x, y] = [0, 0, 0];
  light.forEach((one, at) => {
    if (one < least) return;
    count++;
    x += at % width;
    y += Math.floor(at / width);
  });
  const share = count / light.length;
  return share > 0.001 && share < 0.06 ? { x: x / count / width, y: y / count / (light.length / width) } : null;
}
