import type { InputFile } from "../../core/kinds.ts";
import type { Work } from "../../core/provider.ts";
import { isPresent } from "./path.ts";
import type { Change } from "./spec.ts";

/** A value in the form an upstream wants it; undefined where it has no such form. */
export async function change(value: unknown, as: Change | undefined, load: Work["load"]): Promise<unknown> {
  if (as === undefined || !isPresent(value)) return value;
  if (as === "link" || as === "data-uri") return isFile(value) ? fileAs(as, value, load) : undefined;
  if (as === "ratio") return isRatio(value) ? `${value.width}:${value.height}` : undefined;
  if ("nearestRatio" in as) return isRatio(value) ? nearest(as.nearestRatio, value.width / value.height, shapeOf) : undefined;
  if ("nearest" in as) return typeof value === "number" ? nearest(as.nearest, value, (number) => number) : undefined;
  if ("lookup" in as) return Object.hasOwn(as.lookup, String(value)) ? as.lookup[String(value)] : undefined;
  return `${String(value)}${as.suffix}`;
}

async function fileAs(as: "link" | "data-uri", file: InputFile, load: Work["load"]): Promise<string> {
  if (as === "link" && file.from === "url" && /^https:\/\//i.test(file.url)) return file.url;
  const { bytes, mime } = await load(file);
  return `data:${mime};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;
}

// The first of two that are equally near, so that a list says which size of a shape is preferred.
function nearest<T>(options: readonly T[], wanted: number, measure: (option: T) => number): T | undefined {
  const distance = (option: T) => Math.abs(Math.log(measure(option) / wanted));
  return options.reduce<T | undefined>(
    (best, option) => (best === undefined || distance(option) < distance(best) - 1e-9 ? option : best),
    undefined,
  );
}

function shapeOf(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(":").map(Number);
  return width / height;
}

function isFile(value: unknown): value is InputFile {
  return typeof value === "object" && value !== null && "from" in value;
}

function isRatio(value: unknown): value is { width: number; height: number } {
  return typeof value === "object" && value !== null && "width" in value && "height" in value;
}
