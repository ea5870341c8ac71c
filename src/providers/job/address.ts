import { readText } from "./path.ts";

const place = /\{(\+?)([^}?]+)(\??)\}/g;

/**
 * Fills the places of an address: "{id}" with one path segment, "{+id}" with several, a leading "{keep.url}" with a whole URL.
 * Null where a value is missing, unless its place is "{name?}", or would lead elsewhere in the path.
 */
export function fillAddress(template: string, values: unknown): string | null {
  let missing = false;
  const address = template.replace(place, (_place, plus: string, path: string, optional: string, at: number) => {
    const value = (readText(values, path) ?? "").toWellFormed();
    const whole = at === 0 && /^https?:\/\//.test(value);
    if (value === "" && optional === "") missing = true;
    if (whole) return value;
    const segments = value.split("/");
    const isOdd = (segment: string) => segment === "." || segment === ".." || (segment === "" && plus !== "" && value !== "");
    if (segments.some(isOdd)) missing = true;
    return plus === "" ? encodeURIComponent(value) : segments.map(encodeURIComponent).join("/");
  });
  return missing ? null : address;
}

/** Fills the places of texts as they are; what came out empty is left out, and null where a value is missing. */
export function fillTexts(texts: Readonly<Record<string, string>>, values: unknown): Record<string, string> | null {
  let missing = false;
  const filled = Object.entries(texts).map(([name, text]) => {
    const value = text.replace(place, (_place, _plus: string, path: string, optional: string) => {
      const found = readText(values, path) ?? "";
      if (found === "" && optional === "") missing = true;
      return found;
    });
    return [name, value] as const;
  });
  return missing ? null : Object.fromEntries(filled.filter(([, value]) => value !== ""));
}
