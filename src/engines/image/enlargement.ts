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
      const first = (top + line) * window;
      const rows = Array.from({ length: window }, (_, tap) => rowOf(down.from[first + tap] ?? 0));
      mixRows(sum, rows, down.weight.subarray(first, first + window));
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

/** All rows in one pass: going through the sum once for each of them takes twice as long. */
function mixRows(sum: Float32Array, rows: readonly Float32Array[], weights: Float32Array): void {
  const [a = sum, b = sum, c = sum, d = sum, e = sum, f = sum] = rows;
  const [wa = 0, wb = 0, wc = 0, wd = 0, we = 0, wf = 0] = weights;
  for (let at = 0; at < sum.length; at++)
    sum[at] = (a[at] ?? 0) * wa + (b[at] ?? 0) * wb + (c[at] ?? 0) * wc + (d[at] ?? 0) * wd + (e[at] ?? 0) * we + (f[at] ?? 0) * wf;
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
  for (let pixel = 0; pixel < row.length / 4; pixel++) {
    let [r, g, b, a] = [0, 0, 0, 0];
    for (let tap = pixel * window; tap < (pixel + 1) * window; tap++) {
      const at = (from[tap] ?? 0) * 4;
      const share = weight[tap] ?? 0;
      r += (line[at] ?? 0) * share;
      g += (line[at + 1] ?? 0) * share;
      b += (line[at + 2] ?? 0) * share;
      a += (line[at + 3] ?? 0) * share;
    }
    row[pixel * 4] = r;
    row[pixel * 4 + 1] = g;
    row[pixel * 4 + 2] = b;
    row[pixel * 4 + 3] = a;
  }
  return row;
}

/** One row in which every pixel stands out a little more from its four neighbours. */
function sharpened(data: Uint8ClampedArray, { width, height }: Frame, y: number, amount: number): Float32Array {
  const line = new Float32Array(width * 4);
  const stride = width * 4;
  const start = y * stride;
  const above = Math.max(0, y - 1) * stride;
  const below = Math.min(height - 1, y + 1) * stride;
  for (let at = 0; at < stride; at++) {
    const own = data[start + at] ?? 0;
    const alphaAt = at - (at % 4) + 3;
    const opacity = data[start + alphaAt] ?? 0;
    if (at === alphaAt) {
      line[at] = own;
      continue;
    }
    // What is transparent has no colour to stand out from.
    const beside = (from: number, step: number): number => (data[from + alphaAt + step] === 0 ? own : (data[from + at + step] ?? 0));
    const before = beside(start, at < 4 ? 0 : -4);
    const after = beside(start, at >= stride - 4 ? 0 : 4);
    const mean = (before + after + beside(above, 0) + beside(below, 0)) / 4;
    line[at] = (Math.min(255, Math.max(0, own + (own - mean) * amount)) * opacity) / 255;
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
