/** The largest frame that fits a budget of pixels; sides are even and their ratio as near to the wish as even sides allow. */
export function frameSize(ratio: { width: number; height: number }, durationSeconds: number): { width: number; height: number } {
  const wish = clamp(ratio.width / ratio.height, 1 / 8, 8);
  const [longest, blocks] = durationSeconds <= quickSeconds ? [1280, 3600] : [864, 1620];
  let best = { width: 2, height: 2 };
  let bestScore = Infinity;
  for (let width = 96; width <= longest; width += 2) {
    const height = Math.round(width / wish / 2) * 2;
    if (height < 96 || height > longest || macroblocks(width, height) > blocks) continue;
    const error = Math.abs(Math.log(width / height / wish));
    // A ratio that is off by a thousandth is worth about as much as a tenth of the area.
    const score = error * 100 - (width * height) / (blocks * 256);
    if (score < bestScore) [best, bestScore] = [{ width, height }, score];
  }
  return best;
}

/** Longer films are drawn smaller, so that they do not keep their asker waiting. */
const quickSeconds = 20;

/** What an H.264 level counts: 3,600 blocks of 16 by 16 are the limit of level 3.1, which every player takes. */
function macroblocks(width: number, height: number): number {
  return Math.ceil(width / 16) * Math.ceil(height / 16);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
