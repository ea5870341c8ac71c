import { change } from "./change.ts";
import { FormFile } from "./file-change.ts";
import type { Files } from "./file-change.ts";
import { holds, isPresent, readPath } from "./path.ts";
import type { Condition, Scalar } from "./path.ts";
import type { Change } from "./spec.ts";

/** Builds a body or a part of one from its description and what its paths start at; throws what `load` throws. */
export async function buildField(field: AnyField, values: object, files: Files): Promise<unknown> {
  if (typeof field === "string") return readPath(values, field);
  if (isList(field)) return buildList(field, values, files);
  if (isFixed(field)) return field.const;
  if (isMarked(field)) return buildMarked(field, values, files);
  if (isConditional(field)) return holds(values, field.when) ? buildField(field.object, values, files) : undefined;
  if (isRepeated(field)) return buildEach(field, values, files);
  if (isMerged(field)) return buildMerged(field, values, files);
  return buildFields(field, values, files);
}

/** Builds each of the fields; what leads to nothing is left out. */
export async function buildFields(fields: AnyFields, values: object, files: Files): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = field === undefined ? undefined : await buildField(field, values, files);
    if (isPresent(value) && !isEmpty(value)) body[name] = value;
  }
  return body;
}

async function buildList(list: readonly AnyField[], values: object, files: Files): Promise<unknown[]> {
  const items: unknown[] = [];
  for (const item of list) {
    // The many that one description makes stand among the others of the list.
    if (typeof item === "object" && isRepeated(item)) items.push(...(await buildEach(item, values, files)));
    else items.push(await buildField(item, values, files));
  }
  return items.filter((item) => isPresent(item) && !isEmpty(item));
}

async function buildMarked({ from, as, or }: Marked, values: object, files: Files): Promise<unknown> {
  // A video is not a picture, whatever the upstream takes of those.
  const fitting: Files = from.endsWith(".video") ? { load: files.load } : files;
  const value = await change(readPath(values, from), as, fitting);
  return isPresent(value) ? value : or;
}

async function buildEach({ each, item }: Repeated, values: object, files: Files): Promise<unknown[]> {
  const found = readPath(values, each);
  const list: readonly unknown[] = Array.isArray(found) ? found : [found].filter(isPresent);
  const items: unknown[] = [];
  for (const one of list) items.push(await buildField(item, { ...values, item: one }, files));
  return items.filter((one) => isPresent(one) && !isEmpty(one));
}

async function buildMerged({ merge }: Merged, values: object, files: Files): Promise<unknown> {
  const parts: object[] = [];
  for (const field of merge) {
    const part = await buildField(field, values, files);
    if (typeof part === "object" && part !== null && !Array.isArray(part)) parts.push(part);
  }
  return Object.assign({}, ...parts);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof FormFile) && Object.keys(value).length === 0;
}

// The spec's fields with their paths checked already: here a path is a text.
export type AnyField = string | Marked | Fixed | Conditional | Repeated | Merged | readonly AnyField[] | AnyFields;
export type AnyFields = { readonly [name: string]: AnyField | undefined };
type Marked = { readonly from: string; readonly as?: Change | readonly Change[]; readonly or?: Scalar };
type Fixed = { readonly const: Scalar };
type Conditional = { readonly object: AnyField; readonly when: readonly Condition[] };
type Repeated = { readonly each: string; readonly item: AnyField };
type Merged = { readonly merge: readonly AnyField[] };

const isList = (field: AnyField): field is readonly AnyField[] => Array.isArray(field);
const isFixed = (field: object): field is Fixed => "const" in field;
const isMarked = (field: object): field is Marked => "from" in field;
const isConditional = (field: object): field is Conditional => "object" in field;
const isRepeated = (field: object): field is Repeated => "each" in field;
const isMerged = (field: object): field is Merged => "merge" in field;
