import type { Job, Work } from "../../core/provider.ts";
import { change } from "./change.ts";
import { holds, isPresent, readPath } from "./path.ts";
import type { Condition, Scalar } from "./path.ts";
import type { Change } from "./spec.ts";

/** Builds a request body from its description and a job; throws what `load` throws. */
export async function buildBody(fields: AnyFields, job: Job, load: Work["load"]): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = field === undefined ? undefined : await buildField(field, job, load);
    if (isPresent(value)) body[name] = value;
  }
  return body;
}

async function buildField(field: AnyField, job: Job, load: Work["load"]): Promise<unknown> {
  if (typeof field === "string") return readPath(job, field);
  if (isList(field)) {
    const items: unknown[] = [];
    for (const item of field) items.push(await buildField(item, job, load));
    return items.filter(isPresent);
  }
  if (isFixed(field)) return field.const;
  if (isMarked(field)) return change(readPath(job, field.from), field.as, load);
  if (isConditional(field)) return holds(job, field.when) ? buildBody(field.object, job, load) : undefined;
  return buildBody(field, job, load);
}

// The spec's fields with their paths checked already: here a path is a text.
type AnyField = string | Marked | Fixed | Conditional | readonly AnyField[] | AnyFields;
type AnyFields = { readonly [name: string]: AnyField | undefined };
type Marked = { from: string; as?: Change };
type Fixed = { const: Scalar };
type Conditional = { object: AnyFields; when: readonly Condition[] };

const isList = (field: AnyField): field is readonly AnyField[] => Array.isArray(field);
const isFixed = (field: object): field is Fixed => "const" in field;
const isMarked = (field: object): field is Marked => "from" in field;
const isConditional = (field: object): field is Conditional => "object" in field;
