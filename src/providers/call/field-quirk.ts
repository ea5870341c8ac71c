import type { JsonObject } from "../../core/call.ts";

/** How an upstream of a known dialect departs from it in the fields of a request. */
export type FieldQuirk = {
  /** Fields that are spelt differently there; where both spellings are given, the upstream's own counts. */
  rename?: Readonly<Record<string, string>>;
  /** Fields that it refuses and that change nothing in the reply; with a value, only where they have it. */
  drop?: readonly (string | { field: string; value: unknown })[];
};

/** A request as the upstream wants it; the given one stays as it is. */
export function bend(body: JsonObject, { rename = {}, drop = [] }: FieldQuirk): JsonObject {
  const bent = { ...body };
  for (const [name, theirs] of Object.entries(rename)) {
    if (bent[name] === undefined) continue;
    bent[theirs] ??= bent[name];
    delete bent[name];
  }
  for (const dropped of drop) {
    if (typeof dropped === "string") delete bent[dropped];
    else if (bent[dropped.field] === dropped.value) delete bent[dropped.field];
  }
  return bent;
}
