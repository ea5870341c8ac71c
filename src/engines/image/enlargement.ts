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
      for (const [from, weight] of down(top + line)) {
        const row = rowOf(from);
        for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0) * weight;
      }
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

type Tap = [from: number, weight: number];

/** Which pixels of a line a pixel of the longer one is made of; beyond an end its last pixel goes on. */
function tapsFor(length: number, longer: number): (at: number) => Tap[] {
  return (at) => {
    const middle = ((at + 0.5) * length) / longer - 0.5;
    const first = Math.floor(middle) - reach + 1;
    const taps = Array.from({ length: reach * 2 }, (_, index): Tap => [first + index, windowed(first + index - middle)]);
    const total = taps.reduce((sum, [, weight]) => sum + weight, 0);
    return taps.map(([from, weight]) => [Math.min(length - 1, Math.max(0, from)), weight / total]);
  };
}

/** Lanczos' window: sharper than what drawing libraries do, and hardly any rings around edges. */
function windowed(distance: number): number {
  if (distance === 0) return 1;
  if (Math.abs(distance) >= reach) return 0;
  const angle = Math.PI * distance;
  return (reach * Math.sin(angle) * Math.sin(angle / reach)) / (angle * angle);
}

/** The source's rows, sharpened and stretched, colours weighted by how opaque they are; only those near the last one are kept. */
function createRows(source: Surface, across: (at: number) => Tap[], sharpening: number): (y: number) => Float32Array {
  const { width, height } = source;
  const { data } = source.getContext("2d").getImageData(0, 0, width, height);
  const kept = new Map<number, Float32Array>();
  let taps: Tap[][] | undefined;
  return (y) => {
    const known = kept.get(y);
    if (known !== undefined) return known;
    const line = sharpenedLine(data, width, height, y, sharpening);
    taps ??= stretchTaps(across);
    const row = new Float32Array(taps.length * 4);
    taps.forEach((own, at) => {
      for (const [from, weight] of own)
        for (let channel = 0; channel < 4; channel++)
          row[at * 4 + channel] = (row[at * 4 + channel] ?? 0) + (line[from * 4 + channel] ?? 0) * weight;
    });
    kept.delete(y - reach * 2 - 1);
    kept.set(y, row);
    return row;
  };
}
