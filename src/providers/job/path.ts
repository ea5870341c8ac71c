/**
 * Where something lies in a JSON value: names joined by dots, list places in brackets ("data[0].url"); "" is the value itself.
 * "[*]" leads to all of a list or an object, and lists within it are laid end to end; "@json" reads the text found so far as JSON.
 */
export type Path = string;

/** One path, or several of which the first that leads to something counts. */
export type Paths = Path | readonly Path[];

export type Scalar = string | number | boolean;

/** Something that must be true of a value: that a path leads to (one of) these values, to a text that begins so, or to anything at all. Of a list one is enough. */
export type Condition<P extends string = Path> =
  | { at: P; is: Scalar | readonly Scalar[] }
  | { at: P; begins: string | readonly string[] }
  | { at: P; exists: boolean };

/** What lies at a path; undefined where nothing does, whatever the value is. A name in braces is the text at that path of `places`. */
export function readPath(value: unknown, path: Path, places?: unknown): unknown {
  const names = namesOf(path).map((name) => (name.startsWith("{") ? (readText(places, name.slice(1, -1)) ?? "") : name));
  return follow(value, names);
}

function namesOf(path: Path): string[] {
  return Array.from(path.matchAll(/\{[^}]*\}|[^.[\]{}]+/g), ([name]) => name);
}

function follow(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const [at, name] of names.entries()) {
    if (name === "*") return followAll(found, names.slice(at + 1));
    if (name === "@json") found = parsed(found);
    else if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    else found = Reflect.get(found, name);
  }
  return found;
}

function followAll(list: unknown, names: readonly string[]): unknown {
  if (typeof list !== "object" || list === null) return undefined;
  const all = Object.values(list).flatMap((one) => follow(one, names) ?? []);
  return all.length === 0 ? undefined : all;
}

// Some write an object where others of the family write its text.
function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first thing present at any of the paths. */
export function readFirst(value: unknown, paths: Paths = []): unknown {
  const list = typeof paths === "string" ? [paths] : paths;
  return list.map((path) => readPath(value, path)).find(isPresent);
}

/** False for what upstreams and clients write when they mean nothing: null, an empty text, an empty list, or no field at all. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Whether every condition is true of the value; "@http" is the status of the reply that it came in. */
export function holds(value: unknown, conditions: readonly Condition[] = [], http?: number): boolean {
  return conditions.every((condition) => {
    const found = condition.at === "@http" ? http : readPath(value, condition.at);
    if ("exists" in condition) return isPresent(found) === condition.exists;
    if ("begins" in condition) return [condition.begins].flat().some((start) => String(found ?? "").startsWith(start));
    const wanted: readonly unknown[] = [condition.is].flat();
    return wanted.includes(found) || (Array.isArray(found) && found.some((one) => wanted.includes(one)));
  });
}

/** Whether a path leads to something, or is cut off by something that is not what a path could lead through. */
export function meetsAny(value: unknown, path: Path): boolean {
  const names = namesOf(path);
  const cut = names.findIndex((_name, at) => {
    const found = follow(value, names.slice(0, at));
    return isPresent(found) && typeof found !== "object" && names[at] !== "@json";
  });
  return cut >= 0 || isPresent(follow(value, names));
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
