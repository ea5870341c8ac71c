import { Type, type Static, type TArray, type TObject, type TRecord, type TSchema, type TUnion } from "typebox";
import { Value } from "typebox/value";
import type { Path, Report } from "./problems.ts";
import { suggest } from "./suggestion.ts";

/** The value if it has the shape, else undefined. */
export function fitting<S extends TSchema>(schema: S, value: unknown): Static<S> | undefined {
  return Value.Check(schema, value) ? value : undefined;
}

/** The value as a mapping; anything else counts as an empty one. */
export function asMapping(value: unknown): Record<string, unknown> {
  return isMapping(value) ? value : {};
}

/** The value as a list; anything else counts as an empty one. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reports everything that keeps a value from having a shape; undefined stands for a setting that is left empty. */
export function explainShape(schema: TSchema, value: unknown, path: Path, report: Report): void {
  if (value === undefined) return report(path, "is empty");
  if (Type.IsObject(schema)) return explainObject(schema, value, path, report);
  if (Type.IsRecord(schema)) return explainRecord(schema, value, path, report);
  if (Type.IsArray(schema)) return explainArray(schema, value, path, report);
  if (Type.IsUnion(schema)) return explainUnion(schema, value, path, report);
  if (fitting(schema, value) !== undefined) return;
  if (Type.IsEnum(schema) && typeof value === "string")
    return report(path, `"${value}" is not known; ${suggest(value, schema.enum.map(String))}`);
  report(path, refusal(schema, value));
}

function explainObject(schema: TObject, value: unknown, path: Path, report: Report): void {
  if (!isMapping(value)) return report(path, refusal(schema, value));
  const known = Object.keys(schema.properties);
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) report([...path, key], `is not a setting here; ${suggest(key, known)}`);
  }
  for (const [key, inner] of Object.entries(schema.properties)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given !== undefined) explainShape(inner, given, [...path, key], report);
    else if (!Type.IsOptional(inner)) report([...path, key], `is missing: must be ${expected(inner)}`);
  }
}

function explainRecord(schema: TRecord, value: unknown, path: Path, report: Report): void {
  if (!isMapping(value)) return report(path, refusal(schema, value));
  const inner = Type.RecordValue(schema);
  for (const [key, entry] of Object.entries(value)) explainShape(inner, entry, [...path, key], report);
  if (Object.keys(value).length === 0 && !Value.Check(schema, value)) report(path, "must name at least one");
}

function explainArray(schema: TArray, value: unknown, path: Path, report: Report): void {
  if (!Array.isArray(value)) return report(path, refusal(schema, value));
  value.forEach((item: unknown, index) => explainShape(schema.items, item, [...path, index], report));
  if (value.length === 0 && !Value.Check(schema, value)) report(path, "must name at least one");
}

function explainUnion(schema: TUnion, value: unknown, path: Path, report: Report): void {
  const same = schema.anyOf.find((branch) => (isMapping(value) ? Type.IsObject(branch) : Array.isArray(value) && Type.IsArray(branch)));
  if (same !== undefined) return explainShape(same, value, path, report);
  if (!Value.Check(schema, value)) report(path, `must be ${expected(schema)}`);
}

function refusal(schema: TSchema, value: unknown): string {
  const found = typeName(value);
  const wanted = Reflect.get(schema, "type") === "integer" ? "number" : Reflect.get(schema, "type");
  return wanted === found ? `must be ${expected(schema)}` : `must be ${expected(schema)}, not ${words[found] ?? found}`;
}

function expected(schema: TSchema): string {
  const expects: unknown = Reflect.get(schema, "expects");
  if (typeof expects === "string") return expects;
  if (Type.IsArray(schema)) return "a list";
  if (Type.IsObject(schema)) return `a mapping with ${Object.keys(schema.properties).join(", ")}`;
  return "a mapping";
}

const words: Record<string, string> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
};

function typeName(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
