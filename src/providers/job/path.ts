/** Where something lies in a JSON value: names joined by dots, list places in brackets ("data[0].url"); "" is the value itself. */
export type Path = string;

/** One path, or several of which the first that leads to something counts. */
export type Paths = Path | readonly Path[];

export type Scalar = string | number | boolean;

/** Something that must be true of a value: that a path leads to (one of) these values, or to anything at all. */
export type Condition<P extends string = Path> = { at: P; is: Scalar | readonly Scalar[] } | { at: P; exists: boolean };

/** What lies at a path; undefined where nothing does, whatever the value is. */
export function readPath(value: unknown, path: Path): unknown {
  let found = value;
  for (const [name] of path.matchAll(/[^.[\]]+/g)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

/** The first thing present at any of the paths. */
export function readFirst(value: unknown, paths: Paths = []): unknown {
  const list = typeof paths === "string" ? [paths] : paths;
  return list.map((path) => readPath(value, path)).find(isPresent);
}

/** False for what upstreams and clients write when they mean nothing: null, an empty text, or no field at all. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Whether every condition is true of the value. */
export function holds(value: unknown, conditions: readonly Condition[] = []): boolean {
  return conditions.every((condition) => {
    const found = readPath(value, condition.at);
    if ("exists" in condition) return isPresent(found) === condition.exists;
    const wanted: readonly unknown[] = Array.isArray(condition.is) ? condition.is : [condition.is];
    return wanted.includes(found);
  });
}

/** Text or a number as text; undefined for anything else. */
export function readText(value: unknown, paths: Paths | undefined): string | undefined {
  const found = readFirst(value, paths);
  return typeof found === "string" || typeof found === "number" ? String(found) : undefined;
}

/** A finite number, also where it is written as text ("12.5", "40%"). */
export function readNumber(value: unknown, paths: Paths | undefined): number | undefined {
  const found = readFirst(value, paths);
  const number = typeof found === "string" ? Number.parseFloat(found) : found;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/**
 * Fills the places of an address: "{id}" with one path segment, "{+id}" with several, a leading "{keep.url}" with a whole URL.
 * Null where a value is missing or would lead elsewhere in the path.
 */
export function fillAddress(template: string, values: unknown): string | null {
  let missing = false;
  const address = template.replace(/\{(\+?)([^}]+)\}/g, (_place, plus: string, path: Path, at: number) => {
    const value = (readText(values, path) ?? "").toWellFormed();
    const whole = at === 0 && /^https?:\/\//.test(value);
    if (value === "" || (!whole && value.split("/").some((segment) => segment === "." || segment === ".."))) missing = true;
    if (whole) return value;
    return plus === "" ? encodeURIComponent(value) : value.split("/").map(encodeURIComponent).join("/");
  });
  return missing ? null : address;
}
