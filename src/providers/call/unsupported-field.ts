import type { Call, JsonObject } from "../../core/call.ts";
import { notSupported } from "../../dialects/request-fields.ts";

/** Refuses a request that uses one of the fields which this model's upstream has no way to honour; values that ask for nothing pass. */
export function refuseFields(body: JsonObject, fields: readonly string[]): void {
  const used = fields.find((field) => !asksNothing(field, body[field]));
  if (used !== undefined) throw notSupported(used, `This model does not support '${used}'.`);
}

/** The path of an operation that refuses these fields before anything is sent. */
export function pathWithout(path: string, fields: readonly string[]): (call: Call) => string {
  return ({ body }) => {
    refuseFields(body, fields);
    return path;
  };
}

function asksNothing(field: string, value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  if ((field === "n" || field === "best_of") && value === 1) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
