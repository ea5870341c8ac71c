import type { JsonObject } from "../../core/call.ts";
import { isObject } from "../json-reading.ts";

/** Limits that Anthropic's output formats refuse; without them the schema only allows more. */
const refused = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "patternProperties",
]);

/** A JSON schema as Anthropic's output formats take it: every object closed, and without limits that are refused there. */
export function closedSchema(schema: JsonObject): JsonObject {
  const closed: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (refused.has(key) || (key === "minItems" && value !== 0 && value !== 1)) continue;
    closed[key === "oneOf" ? "anyOf" : key] = closedPart(key, value);
  }
  if (schema.type === "object" || isObject(schema.properties)) closed.additionalProperties = false;
  return closed;
}

function closedPart(key: string, value: unknown): unknown {
  if (["anyOf", "oneOf", "allOf"].includes(key) && Array.isArray(value)) return value.map(closedValue);
  if (key === "items") return closedValue(value);
  if (["properties", "$defs", "definitions"].includes(key) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closedValue(part)]));
  }
  return value;
}

const closedValue = (value: unknown): unknown => (isObject(value) ? closedSchema(value) : value);
