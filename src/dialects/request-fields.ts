/** Checked reading of what a client asks, and the refusals for what cannot be said in another dialect. */
import type { JsonObject } from "../core/call.ts";
import { Failure } from "../core/errors.ts";
import { isObject } from "./json-reading.ts";

export const notSupported = (param: string, says: string): Failure => new Failure("not_supported", { param, says });

export const invalid = (param: string, says: string): Failure => new Failure("invalid_request", { param, says });

/** A number of the request, or undefined where it is absent or null. */
export function numberIn(body: JsonObject, param: string): number | undefined {
  const value = body[param] ?? undefined;
  if (value === undefined || typeof value === "number") return value;
  throw invalid(param, `'${param}' must be a number.`);
}

/** A text of the request, or undefined where it is absent or null. */
export function textIn(body: JsonObject, name: string, param = name): string | undefined {
  const value = body[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw invalid(param, `'${param}' must be a string.`);
}

/** The objects of a list of the request; absent and null count as an empty list. */
export function objectsIn(value: unknown, param: string): JsonObject[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(param, `'${param}' must be an array.`);
  return value.map((item: unknown, at) => {
    if (isObject(item)) return item;
    throw invalid(`${param}[${at}]`, `'${param}[${at}]' must be an object.`);
  });
}

/** Content as its parts: a string is one text part. */
export function partsIn(content: unknown, param: string): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content, param);
}

/** The field in which a chat model wants the longest reply: OpenAI's reasoning models refuse the old one, many servers know no other. */
export function ceilingField(model: unknown): "max_tokens" | "max_completion_tokens" {
  return typeof model === "string" && /(^|\/)(o\d|gpt-([5-9]|1\d))/.test(model) ? "max_completion_tokens" : "max_tokens";
}
