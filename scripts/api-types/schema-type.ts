import type { JsonSchema } from "./json-schema.ts";

/** The TypeScript type of whatever a schema accepts. */
export function schemaType(schema: JsonSchema, indent = ""): string {
  const alternatives = schema.anyOf ?? schema.oneOf;
  const parts = [
    ownType(schema, indent),
    ...(schema.allOf ?? []).map((part) => schemaType(part, indent)),
    ...(alternatives === undefined ? [] : [union(alternatives.map((part) => schemaType(part, indent)))]),
  ].filter((part) => part !== "unknown");
  return [...new Set(parts)].map((part) => (parts.length > 1 ? bracketed(part) : part)).join(" & ") || "unknown";
}

/** What a schema says without the schemas it is combined of. */
function ownType(schema: JsonSchema, indent: string): string {
  if ("const" in schema) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  if (typeof schema.type === "object") return union(schema.type.map((type) => namedType(type, schema, indent)));
  if (schema.type !== undefined) return namedType(schema.type, schema, indent);
  return schema.properties === undefined ? "unknown" : objectType(schema, indent);
}

function namedType(type: string, schema: JsonSchema, indent: string): string {
  if (type === "object") return objectType(schema, indent);
  if (type === "array") return arrayType(schema, indent);
  if (type === "string") return schema.format === "binary" ? "Blob" : "string";
  if (type === "integer" || type === "number") return "number";
  return type === "boolean" || type === "null" ? type : "unknown";
}

function arrayType({ items, prefixItems }: JsonSchema, indent: string): string {
  const tuple = prefixItems ?? (isList(items) ? items : undefined);
  if (tuple !== undefined) return `[${tuple.map((item) => schemaType(item, indent)).join(", ")}]`;
  return items === undefined || isList(items) ? "unknown[]" : `${bracketed(schemaType(items, indent))}[]`;
}

function isList(items: JsonSchema["items"]): items is readonly JsonSchema[] {
  return Array.isArray(items);
}

function objectType(schema: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    field({
      name,
      type: schemaType(property, inner),
      isRequired: schema.required?.includes(name) === true,
      says: property.description,
      indent: inner,
    }),
  );
  const rest = restType(schema, inner, fields.length > 0);
  const lines = rest === null ? fields : [...fields, `${inner}[key: string]: ${rest};`];
  return lines.length === 0 ? "Record<string, never>" : `{\n${lines.join("\n")}\n${indent}}`;
}

/** What the fields hold that have no line of their own; null when there are none. */
function restType({ additionalProperties, patternProperties }: JsonSchema, indent: string, hasFields: boolean): string | null {
  const others = [
    ...Object.values(patternProperties ?? {}),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : additionalProperties === true ? [{}] : []),
  ];
  if (others.length === 0) return hasFields || additionalProperties === false ? null : "unknown";
  // An index signature must also hold for the fields that are named.
  return hasFields ? "unknown" : union(others.map((schema) => schemaType(schema, indent)));
}

type Field = { name: string; type: string; isRequired: boolean; says?: string | undefined; indent: string };

/** One line of an object type, under what is said about it. */
export function field({ name, type, isRequired, says, indent }: Field): string {
  return `${comment(says, indent)}${indent}${propertyName(name)}${isRequired ? "" : "?"}: ${type};`;
}

/** A text as documentation above a line; nothing without one. */
export function comment(says: string | undefined, indent: string): string {
  return says === undefined || says === "" ? "" : `${indent}/** ${says.replace(/\s+/g, " ").replaceAll("*/", "*\\/")} */\n`;
}

/** A name as the key of an object type. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$|^(0|[1-9]\d*)$/.test(name) ? name : JSON.stringify(name);
}

function literal(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  if (different.includes("unknown")) return "unknown";
  return different.join(" | ") || "never";
}

/** A type that can stand before `[]` or beside `&`. */
function bracketed(type: string): string {
  return /^(\{[\s\S]*\n *\}|[\w.]+)$/.test(type) && !/^\{[\s\S]*?\n *\} [|&]/.test(type) ? type : `(${type})`;
}
