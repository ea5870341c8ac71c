import type { Change } from "./spec.ts";

/** Named by their fields alone they would take in every text, which has a `replace` of its own. */
export type TextChange = "text" | "upper" | "lower" | Extract<Exclude<Change, string>, Textual>;
type Textual = { lookup: unknown } | { replace: unknown } | { cut: unknown } | { prefix: unknown } | { suffix: unknown };

/** Whether a change takes its value for a text. */
export function isTextChange(as: Change): as is TextChange {
  if (typeof as === "string") return as === "text" || as === "upper" || as === "lower";
  return "lookup" in as || "replace" in as || "cut" in as || "prefix" in as || "suffix" in as;
}

/** The text of a value, changed. */
export function changeText(value: unknown, as: TextChange): unknown {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (as === "text") return text;
  if (as === "upper") return text.toUpperCase();
  if (as === "lower") return text.toLowerCase();
  if ("lookup" in as) return Object.hasOwn(as.lookup, text) ? as.lookup[text] : undefined;
  if ("replace" in as) return text.replaceAll(as.replace[0], () => as.replace[1]);
  if ("cut" in as) return Array.from(text).slice(0, as.cut).join("");
  return "prefix" in as ? `${as.prefix}${text}` : `${text}${as.suffix}`;
}
