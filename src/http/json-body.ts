import { Failure } from "../core/errors.ts";

const deepest = 32;
const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** Reads a JSON body; an empty one is undefined. Throws `invalid_request` for what is not JSON, too deep, or made to do harm. */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === "") return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new Failure("invalid_request", { says: "The body is not valid JSON.", cause });
  }
  inspect(body, 1);
  return body;
}

function inspect(value: unknown, depth: number): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw new Failure("invalid_request", { says: "The body must not contain NUL characters." });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth > deepest) throw new Failure("invalid_request", { says: `The body must not be nested deeper than ${deepest} levels.` });
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    const item: unknown = Reflect.get(value, key);
    if (forbidden.has(key)) throw new Failure("invalid_request", { says: `The body must not have a field named '${key}'.`, param: key });
    if (key.includes("\0")) throw new Failure("invalid_request", { says: "The body must not contain NUL characters." });
    inspect(item, depth + 1);
  }
}
