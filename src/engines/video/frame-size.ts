type Size = { width: number; height: number };
type Budget = { seconds: number; longest: number; blocks: number };

/** Longer films are drawn smaller, so that they do not keep their asker waiting. */
const usual: readonly Budget[] = [
  { seconds: 20, longest: 1280, blocks: 3600 },
  { seconds: Infinity, longest: 864, blocks: 1620 },
];
/** Whoever asks for a resolution may wait a little longer. */
const wished: readonly Budget[] = [{ seconds: 10, longest: 1920, blocks: 8160 }, ...usual];

/**
 * The frame of a film. A wished shorter side is met where the length of the film allows it; else it is the largest frame that fits a
 * budget of pixels. Sides are even and their ratio as near to the wish as even sides allow.
 */
export function frameSize(ratio: Size, durationSeconds: number, shortSide?: number): Size {
  const wish = clamp(ratio.width / ratio.height, 1 / 8, 8);
  const budget = (shortSide === undefined ? usual : wished).find(({ seconds }) => durationSeconds <= seconds);
  const limits = { longest: budget?.longest ?? 864, blocks: budget?.blocks ?? 1620, shortest: shortSide ?? Infinity };
  const exact = shortSide === undefined ? null : shortSided(wish, shortSide);
  return exact !== null && fits(exact, limits) ? exact : largestWithin(wish, limits);
}

function shortSided(wish: number, shortSide: number): Size {
  const short = even(Math.max(leastSide, shortSide));
  return wish >= 1 ? { width: even(short * wish), height: short } : { width: short, height: even(short / wish) };
}

type Limits = { longest: number; blocks: number; shortest: number };

const leastSide = 96;

function fits({ width, height }: Size, { longest, blocks }: Limits): boolean {
  return Math.min(width, height) >= leastSide && Math.max(width, height) <= longest && macroblocks(width, height) <= blocks;
}

function largestWithin(wish: number, limits: Limits): Size {
  let best = { width: 2, height: 2 };
  let bestScore = Infinity;
  for (let width = leastSide; width <= limits.longest; width += 2) {
    const height = even(width / wish);
    // A picture that is very long has to be higher than was asked for: there is a least side.
    if (!fits({ width, height }, limits) || Math.min(width, height) > Math.max(limits.shortest, leastSide + 2)) continue;
    const error = Math.abs(Math.log(width / height / wish));
    // A ratio that is off by a thousandth is worth about as much as a tenth of the area.
    const score = error * 100 - (width * height) / (limits.blocks * 256);
    if (score < bestScore) [best, bestScore] = [{ width, height }, score];
  }
  return best;
}

/** What an H.264 level counts: 3,600 blocks of 16 by 16 are the limit of level 3.1, which every player takes. */
export function macroblocks(width: number, height: number): number {
  return Math.ceil(width / 16) * Math.ceil(height / 16);
}

function even(pixels: number): number {
  return Math.round(pixels / 2) * 2;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
