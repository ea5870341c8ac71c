import type { MakeSurface, Surface } from "../picture/stage.ts";
import type { Frame } from "./easel.ts";
import { settle } from "./finish.ts";

/** The same picture with more pixels: edges stay edges, and made small again it is what it was. `detail` from 0 to 1 says how crisp. */
export function enlargePicture(source: Surface, frame: Frame, detail: number, surface: MakeSurface): Surface {
  const sheet = surface(frame.width, frame.height);
  const brush = sheet.getContext("2d");
  const rowOf = createRows(source, tapsFor(source.width, frame.width), detail * mostSharpening);
  const down = tapsFor(source.height, frame.height);
  const sum = new Float32Array(frame.width * 4);
  for (let top = 0; top < frame.height; top += bandRows) {
    const band = brush.createImageData(frame.width, Math.min(bandRows, frame.height - top));
    for (let line = 0; line < band.height; line++) {
      sum.fill(0);
      for (let tap = (top + line) * window; tap < (top + line + 1) * window; tap++)
        addRow(sum, rowOf(down.from[tap] ?? 0), down.weight[tap] ?? 0);
      writeLine(sum, band.data, line * frame.width * 4);
    }
    brush.putImageData(band, 0, top);
    settle(brush);
  }
  return sheet;
}

const bandRows = 128;
const mostSharpening = 0.5;
/** How far the window reaches on either side, in pixels of the source. */
const reach = 3;
const window = reach * 2;

/** For each pixel of the longer line, the pixels of the shorter one that it is made of, and how much of each. */
type Taps = { from: Int32Array; weight: Float32Array };

/** Beyond an end its last pixel goes on. */
function tapsFor(length: number, longer: number): Taps {
  const taps = { from: new Int32Array(longer * window), weight: new Float32Array(longer * window) };
  for (let at = 0; at < longer; at++) {
    const middle = ((at + 0.5) * length) / longer - 0.5;
    const first = Math.floor(middle) - reach + 1;
    let total = 0;
    for (let tap = 0; tap < window; tap++) total += windowed(first + tap - middle);
    for (let tap = 0; tap < window; tap++) {
      taps.from[at * window + tap] = Math.min(length - 1, Math.max(0, first + tap));
      taps.weight[at * window + tap] = windowed(first + tap - middle) / total;
    }
  }
  return taps;
}

/** Lanczos' window: sharper than what drawing libraries do, and hardly any rings around edges. */
function windowed(distance: number): number {
  if (distance === 0) return 1;
  if (Math.abs(distance) >= reach) return 0;
  const angle = Math.PI * distance;
  return (reach * Math.sin(angle) * Math.sin(angle / reach)) / (angle * angle);
}

function addRow(sum: Float32Array, row: Float32Array, weight: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0) * weight;
}

/** The source's rows, sharpened and stretched; colours are weighted by how opaque they are. Only rows near the last one are kept. */
function createRows(source: Surface, taps: Taps, sharpening: number): (y: number) => Float32Array {
  const { width, height } = source;
  const { data } = source.getContext("2d").getImageData(0, 0, width, height);
  const kept = new Map<number, Float32Array>();
  return (y) => {
    const known = kept.get(y);
    if (known !== undefined) return known;
    const row = stretched(sharpened(data, { width, height }, y, sharpening), taps);
    kept.delete(y - window - 1);
    kept.set(y, row);
    return row;
  };
}

function stretched(line: Float32Array, { from, weight }: Taps): Float32Array {
  const row = new Float32Array((from.length / window) * 4);
  for (let at = 0; at < from.length; at++) {
    const into = Math.floor(at / window) * 4;
    const source = (from[at] ?? 0) * 4;
    const share = weight[at] ?? 0;
    for (let channel = 0; channel < 4; channel++) row[into + channel] = (row[into + channel] ?? 0) + (line[source + channel] ?? 0) * share;
  }
  return row;
}

/** One row in which every pixel stands out a little more from its four neighbours. */
function sharpened(data: Uint8ClampedArray, { width, height }: Frame, y: number, amount: number): Float32Array {
  const line = new Float32Array(width * 4);
  const above = Math.max(0, y - 1) * width;
  const below = Math.min(height - 1, y + 1) * width;
  for (let x = 0; x < width; x++) {
    const own = y * width + x;
    const around = [y * width + Math.max(0, x - 1), y * width + Math.min(width - 1, x + 1), above + x, below + x];
    const opacity = data[own * 4 + 3] ?? 0;
    for (let channel = 0; channel < 3; channel++) {
      const value = data[own * 4 + channel] ?? 0;
      let mean = 0;
      for (const at of around) mean += (data[at * 4 + channel] ?? 0) / 4;
      line[x * 4 + channel] = (Math.min(255, Math.max(0, value + (value - mean) * amount)) * opacity) / 255;
    }
    line[x * 4 + 3] = opacity;
  }
  return line;
}

function writeLine(sum: Float32Array, into: Uint8ClampedArray, start: number): void {
  for (let at = 0; at < sum.length; at += 4) {
    const opacity = sum[at + 3] ?? 0;
    const share = opacity > 0 ? 255 / opacity : 0;
    for (let channel = 0; channel < 3; channel++) into[start + at + channel] = (sum[at + channel] ?? 0) * share;
    into[start + at + 3] = opacity;
  }
}
