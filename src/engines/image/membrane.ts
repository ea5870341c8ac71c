import type { MakeSurface, Surface } from "../picture/stage.ts";
import { settle } from "./finish.ts";

/**
 * Shifts the colours of `paint` so that they meet those of `ground` along the edge of what is open, and less and less far from it;
 * `open` is opaque where the paint is to be seen. All three have the same size.
 */
export function meetColours(paint: Surface, ground: Surface, open: Surface, surface: MakeSurface): void {
  const scale = gridCells / Math.max(paint.width, paint.height);
  const size = { columns: Math.max(2, Math.round(paint.width * scale)), rows: Math.max(2, Math.round(paint.height * scale)) };
  const [ours, theirs, seen] = [paint, ground, open].map((picture) => reduced(picture, size, surface));
  if (ours === undefined || theirs === undefined || seen === undefined) return;
  const count = size.columns * size.rows;
  const known = Uint8Array.from({ length: count }, (_, at) => ((seen[at * 4 + 3] ?? 0) < 16 && (theirs[at * 4 + 3] ?? 0) > 239 ? 1 : 0));
  const shifts = [0, 1, 2].map((channel) => {
    const shift = Float32Array.from({ length: count }, (_, at) => (theirs[at * 4 + channel] ?? 0) - (ours[at * 4 + channel] ?? 0));
    return spread(shift, known, size);
  });
  applyShifts(paint, shifts, size);
}

const gridCells = 88;

type Size = { columns: number; rows: number };

function reduced(picture: Surface, { columns, rows }: Size, surface: MakeSurface): Uint8ClampedArray {
  const small = surface(columns, rows);
  const brush = small.getContext("2d");
  brush.imageSmoothingQuality = "medium";
  brush.drawImage(picture, 0, 0, columns, rows);
  return brush.getImageData(0, 0, columns, rows).data;
}

/** Gives every unknown cell the mean of its neighbours, as a skin stretched between the known ones would lie. */
export function spread(values: Float32Array, known: Uint8Array, { columns, rows }: Size): Float32Array {
  const count = known.reduce((sum, one) => sum + one, 0);
  if (count === 0) return values.fill(0);
  const mean = values.reduce((sum, value, at) => sum + (known[at] === 1 ? value : 0), 0) / count;
  const field = values.map((value, at) => (known[at] === 1 ? value : mean));
  for (let round = 0; round < rounds; round++) {
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const at = y * columns + x;
        if (known[at] === 1) continue;
        const own = field[at] ?? 0;
        const left = x > 0 ? (field[at - 1] ?? 0) : own;
        const right = x < columns - 1 ? (field[at + 1] ?? 0) : own;
        const above = y > 0 ? (field[at - columns] ?? 0) : own;
        const below = y < rows - 1 ? (field[at + columns] ?? 0) : own;
        // A little further than the mean each time settles in tens of rounds instead of thousands.
        field[at] = own + ((left + right + above + below) / 4 - own) * eagerness;
      }
    }
  }
  return field;
}

const rounds = 120;
const eagerness = 1.86;
const bandRows = 128;

function applyShifts(paint: Surface, shifts: readonly Float32Array[], { columns, rows }: Size): void {
  const brush = paint.getContext("2d");
  const across = Array.from({ length: paint.width }, (_, x) => between(((x + 0.5) * columns) / paint.width - 0.5, columns));
  const line = new Float32Array(columns);
  for (let top = 0; top < paint.height; top += bandRows) {
    const band = brush.getImageData(0, top, paint.width, Math.min(bandRows, paint.height - top));
    for (let y = 0; y < band.height; y++) {
      const [upper, lower, share] = between(((top + y + 0.5) * rows) / paint.height - 0.5, rows);
      shifts.forEach((shift, channel) => {
        for (let x = 0; x < columns; x++) line[x] = mix(shift[upper * columns + x] ?? 0, shift[lower * columns + x] ?? 0, share);
        let at = y * paint.width * 4 + channel;
        for (const [left, right, far] of across) {
          band.data[at] = (band.data[at] ?? 0) + mix(line[left] ?? 0, line[right] ?? 0, far);
          at += 4;
        }
      });
    }
    brush.putImageData(band, 0, top);
    settle(brush);
  }
}

/** The two cells around a place on the grid, and how far it is towards the second. */
function between(place: number, count: number): [first: number, second: number, share: number] {
  const within = Math.min(count - 1, Math.max(0, place));
  const first = Math.floor(within);
  return [first, Math.min(count - 1, first + 1), within - first];
}

function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}
