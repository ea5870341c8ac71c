/** The first field of a body that its upstream does not know; undefined where it knows them all. */
export function strangeField(body: unknown, known: readonly string[]): string | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "body";
  return Object.keys(body).find((name) => !known.includes(name));
}

/** Whether a value is a picture as upstreams take it: an https address or a data URI. */
export function isPictureLink(value: unknown): boolean {
  return typeof value === "string" && /^(https:\/\/\S+|data:image\/(png|jpeg|webp);base64,[\w+/=]+)$/.test(value);
}

/** Whether a value is a whole number from `min` to `max`. */
export function isWhole(value: unknown, min: number, max: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}
