/** Checked reading of what a call to a built-in generator asks for; absent and null give the usual value. */
import type { JsonObject } from "../../core/call.ts";
import { invalid, numberIn } from "../../dialects/request-fields.ts";

export function numberWithin<F>(body: JsonObject, param: string, [least, most]: readonly [number, number], usual: F): number | F {
  const value = readNumber(body, param);
  if (value === undefined) return usual;
  if (value >= least && value <= most) return value;
  throw invalid(param, `'${param}' must be a number from ${least} to ${most}.`);
}

export function wholeWithin<F>(body: JsonObject, param: string, [least, most]: readonly [number, number], usual: F): number | F {
  const value = readNumber(body, param);
  if (value === undefined) return usual;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(param, `'${param}' must be a whole number from ${least} to ${most}.`);
}

export function oneOf<T extends string>(body: JsonObject, param: string, known: readonly T[], usual: T): T {
  const value = body[param] ?? usual;
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw invalid(param, `'${param}' must be one of ${known.join(", ")}.`);
}

/** Forms hold numbers as text. */
function readNumber(body: JsonObject, param: string): number | undefined {
  const value = body[param];
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : numberIn(body, param);
}
