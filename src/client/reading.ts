/** A field of something that may be an object. */
export function valueIn(whole: unknown, name: string): unknown {
  return typeof whole === "object" && whole !== null ? Reflect.get(whole, name) : undefined;
}

/** A text in something that may be an object; null when there is none. */
export function textIn(whole: unknown, name: string): string | null {
  const value = valueIn(whole, name);
  return typeof value === "string" ? value : null;
}
