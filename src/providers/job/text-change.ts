import type { Change } from "./spec.ts";

/** Named by their fields alone they would take in every text, which has a `replace` of its own. */
export type TextChange = "text" | "upper" | "lower" | Extract<Exclude<Change, string>, Textual>;
type Textual =
  | { nearestLines: unknown }
  | { lookup: unknown }
  | { replace: unknown }
  | { cut: unknown }
  | { prefix: unknown }
  | { suffix: unknown };

/** Whether a change takes its value for a text. */
export function isTextChange(as: Change): as is TextChange {
  if (typeof as === "string") return as === "text" || as === "upper" || as === "lower";
  return "nearestLines" in as || "lookup" in as || "replace" in as || "cut" in as || "prefix" in as || "suffix" in as;
}

/** The text of a value, changed. */
export function changeText(value: unknown, as: TextChange): unknown {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (as === "text") return text;
  if (as === "upper") return text.toUpperCase();
  if (as === "lower") return text.toLowerCase();
  if ("nearestLines" in as) return nearestLines(as.nearestLines, text);
  if ("lookup" in as) return Object.hasOwn(as.lookup, text) ? as.lookup[text] : undefined;
  if ("replace" in as) return text.replaceAll(as.replace[0], () => as.replace[1]);
  if ("cut" in as) return Array.from(text).slice(0, as.cut).join("");
  return "prefix" in as ? `${as.prefix}${text}` : `${text}${as.suffix}`;
}

// The first of two that are equally near, so that a list says which is preferred.
function nearestLines(names: readonly string[], wanted: string): string | undefined {
  const same = names.find((name) => name.toLowerCase() === wanted.toLowerCase());
  const lines = linesOf(wanted);
  if (same !== undefined || lines === undefined) return same;
  const distance = (name: string) => Math.abs((linesOf(name) ?? Number.POSITIVE_INFINITY) - lines);
  return names.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** How many lines a picture of this name has; "2K" is the name of 1,440, and 4K of 2,160. */
function linesOf(name: string): number | undefined {
  const [, count, unit] = /^(\d+)\s*([pk])$/i.exec(name.trim()) ?? [];
  if (count === undefined) return undefined;
  if (unit?.toLowerCase() === "p") return Number(count);
  return count === "2" ? 1_440 : Number(count) * 540;
}
