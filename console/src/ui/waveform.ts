/** The loudness of a piece of audio as a row of peaks between 0 and 1. */
export async function readPeaks(bytes: ArrayBuffer, count: number): Promise<number[]> {
  // 8 kHz is plenty for a picture, and keeps long songs small.
  const buffer = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(bytes);
  const samples = buffer.getChannelData(0);
  const width = Math.max(1, Math.floor(samples.length / count));
  const peaks: number[] = [];
  for (let at = 0; at < count; at++) peaks.push(loudness(samples.subarray(at * width, (at + 1) * width)));
  const top = Math.max(...peaks, 0.01);
  // Loud parts are spread, so that the shape of a song shows.
  return peaks.map((peak) => (peak / top) ** 1.4);
}

function loudness(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(samples.length, 1));
}

/** Draws peaks as rounded bars; what has been played is in the accent colour. */
export function drawPeaks(canvas: HTMLCanvasElement, peaks: readonly number[], played: number): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const scale = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const bars = barsOf(peaks, Math.max(16, Math.floor(width / 4)));
  const step = width / bars.length;
  for (const [index, peak] of bars.entries()) {
    const tall = Math.max(2, peak * (height - 4));
    context.fillStyle = style.getPropertyValue(index / bars.length < played ? "--accent" : "--wave");
    context.beginPath();
    context.roundRect(index * step, (height - tall) / 2, step * 0.6, tall, step * 0.3);
    context.fill();
  }
}

/** As many bars as there is room for. */
function barsOf(peaks: readonly number[], most: number): readonly number[] {
  if (peaks.length <= most) return peaks;
  return Array.from({ length: most }, (_bar, index) => {
    const from = Math.floor((index * peaks.length) / most);
    const to = Math.max(from + 1, Math.floor(((index + 1) * peaks.length) / most));
    return Math.max(...peaks.slice(from, to));
  });
}
