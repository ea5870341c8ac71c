import type { InputFile } from "../../core/kinds.ts";
import { changeFile, isFileChange } from "./file-change.ts";
import type { FileChange, Files } from "./file-change.ts";
import { isPresent } from "./path.ts";
import { changeText, isTextChange } from "./text-change.ts";
import type { TextChange } from "./text-change.ts";
import type { Change } from "./spec.ts";

/** A value in the form an upstream wants it, change after change; undefined where it has no such form. */
export async function change(value: unknown, as: Change | readonly Change[] | undefined, files: Files): Promise<unknown> {
  let changed = value;
  for (const one of as === undefined ? [] : [as].flat()) {
    if (!isPresent(changed)) return undefined;
    changed = await changeOnce(changed, one, files);
  }
  return changed;
}

async function changeOnce(value: unknown, as: Change, files: Files): Promise<unknown> {
  if (Array.isArray(value)) return changeList(value, as, files);
  if (as === "first") return value;
  if (isFileChange(as)) return isFile(value) ? changeFile(value, as, files) : undefined;
  if (isTextChange(as)) return changeText(value, as);
  return changeMeasure(value, as);
}

async function changeList(list: readonly unknown[], as: Change, files: Files): Promise<unknown> {
  if (as === "first") return list[0];
  if (typeof as === "object" && "cut" in as) return list.slice(0, as.cut);
  const changed: unknown[] = [];
  for (const one of list) changed.push(await changeOnce(one, as, files));
  return changed.filter(isPresent);
}

type MeasureChange = Exclude<Change, FileChange | TextChange | "first">;

function changeMeasure(value: unknown, as: MeasureChange): unknown {
  if (as === "ratio" || as === "size") return isRatio(value) ? written(value, as) : undefined;
  if (typeof as === "object" && "nearestRatio" in as) {
    const shape = isRatio(value) ? value.width / value.height : typeof value === "string" ? shapeOf(value) : Number.NaN;
    return Number.isFinite(shape) ? nearest(as.nearestRatio, shape, shapeOf) : undefined;
  }
  const number = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  if (as === "integer") return Math.round(number);
  if ("nearest" in as) return nearest(as.nearest, number, (option) => option);
  if ("clamp" in as) return Math.min(Math.max(number, as.clamp[0]), as.clamp[1]);
  // Without the dust of binary fractions: 0.7 times 10 is 7.
  return Number((number * as.times).toPrecision(12));
}

function written({ width, height }: { width: number; height: number }, as: "ratio" | "size"): string {
  if (as === "size") return `${width}x${height}`;
  // Ratios are given as they are named ("21:9"); pixels are made a ratio first.
  const part = Math.max(width, height) > 100 ? greatestDivisor(width, height) : 1;
  return `${width / part}:${height / part}`;
}

function greatestDivisor(a: number, b: number): number {
  return b < 1 ? Math.max(a, 1) : greatestDivisor(b, a % b);
}

// The first of two that are equally near, so that a list says which size of a shape is preferred.
function nearest<T>(options: readonly T[], wanted: number, measure: (option: T) => number): T | undefined {
  const distance = (option: T) => {
    const measured = measure(option);
    return measured > 0 && wanted > 0 ? Math.abs(Math.log(measured / wanted)) : Math.abs(measured - wanted);
  };
  return options.reduce<T | undefined>(
    (best, option) => (best === undefined || distance(option) < distance(best) - 1e-9 ? option : best),
    undefined,
  );
}

function shapeOf(ratio: string): number {
  const [width = Number.NaN, height = Number.NaN] = ratio.split(/[:x*]/i).map(Number);
  return width / height;
}

function isFile(value: unknown): value is InputFile {
  return typeof value === "object" && value !== null && "from" in value;
}

function isRatio(value: unknown): value is { width: number; height: number } {
  return typeof value === "object" && value !== null && "width" in value && "height" in value;
}
