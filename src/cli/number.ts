import { UsageError } from "./complaint.ts";

/** Reads an option's number; throws a UsageError that says which ones are allowed. */
export function readNumber(
  option: string,
  text: string,
  { min, max, whole = false }: { min: number; max: number; whole?: boolean },
): number {
  const number = text.trim() === "" ? NaN : Number(text);
  if (number >= min && number <= max && (!whole || Number.isInteger(number))) return number;
  throw new UsageError(`${option} must be a ${whole ? "whole number" : "number"} from ${min} to ${max}, not "${text}".`);
}
