import { field } from "../../api/api-error.ts";
import { list, text } from "../../api/task-result.ts";

/** What a control must know of a field. */
export type Shape =
  | { is: "text"; maxLength: number | null }
  | { is: "number"; isWhole: boolean; min: number | null; max: number | null }
  | { is: "switch" }
  | { is: "choice"; options: readonly string[] }
  /** A list of texts, one a line; or one text. */
  | { is: "lines" }
  | { is: "json" };

export type FormField = { name: string; hint: string; isRequired: boolean; shape: Shape };

/** The fields of a create, read off the description of the service. */
export function fieldsOf(description: unknown, path: string): readonly FormField[] {
  const post = field(field(field(description, "paths"), path), "post");
  const content = field(field(post, "requestBody"), "content");
  const schema = field(field(content, "application/json") ?? field(content, "multipart/form-data"), "schema");
  const required = list(schema, "required");
  const properties = field(schema, "properties");
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries(properties).map(([name, property]) => {
    const inner = withoutNull(property);
    return {
      name,
      hint: text(inner, "description") || text(property, "description"),
      isRequired: required.includes(name),
      shape: shapeOf(inner),
    };
  });
}

function shapeOf(schema: unknown): Shape {
  const options = optionsOf(schema);
  if (options !== null) return { is: "choice", options };
  const choices = list(schema, "anyOf");
  if (choices.length > 0) return unionShape(choices);
  switch (text(schema, "type")) {
    case "string":
      return { is: "text", maxLength: numberIn(schema, "maxLength") };
    case "integer":
      return { is: "number", isWhole: true, min: numberIn(schema, "minimum"), max: numberIn(schema, "maximum") };
    case "number":
      return { is: "number", isWhole: false, min: numberIn(schema, "minimum"), max: numberIn(schema, "maximum") };
    case "boolean":
      return { is: "switch" };
    case "array":
    case "object":
      return { is: "json" };
    default:
      return { is: "text", maxLength: null };
  }
}

/** Of several possible shapes the one that is easiest to fill in. */
function unionShape(choices: readonly unknown[]): Shape {
  const shapes = choices.map(shapeOf);
  const number = shapes.find(({ is }) => is === "number");
  if (number !== undefined) return number;
  const isList = choices.some((choice) => text(choice, "type") === "array" && text(field(choice, "items"), "type") === "string");
  if (isList) return { is: "lines" };
  return shapes.find(({ is }) => is === "text") ?? shapes[0] ?? { is: "text", maxLength: null };
}

/** The words of an enumeration, be it one list or a union of single words. */
function optionsOf(schema: unknown): readonly string[] | null {
  const own = list(schema, "enum");
  if (own.length > 0) return own.map(String);
  const parts = list(schema, "anyOf").map((part) => list(part, "enum"));
  return parts.length > 0 && parts.every((part) => part.length > 0) ? parts.flat().map(String) : null;
}

/** A union with null is an optional field: what is left of it without. */
function withoutNull(schema: unknown): unknown {
  const choices = list(schema, "anyOf");
  const rest = choices.filter((choice) => text(choice, "type") !== "null");
  if (rest.length === choices.length) return schema;
  return rest.length === 1 ? rest[0] : { anyOf: rest };
}

function numberIn(schema: unknown, name: string): number | null {
  const value = field(schema, name);
  return typeof value === "number" ? value : null;
}
