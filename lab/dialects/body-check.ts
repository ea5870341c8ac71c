import { fieldOf, textOf } from "../dialect.ts";
import type { Intent } from "../dialect.ts";

/** Whether a field is as the wire has it; absent fields are undefined. */
export type FieldCheck = (value: unknown) => boolean;

/** The first field that is not known, or not as it must be; null where all are well. */
export function faultyField(body: unknown, checks: Record<string, FieldCheck>): string | null {
  if (typeof body !== "object" || body === null) return "body";
  const strange = Object.keys(body).find((name) => !Object.hasOwn(checks, name));
  return strange ?? Object.entries(checks).find(([name, check]) => !check(fieldOf(body, name)))?.[0] ?? null;
}

export const isText: FieldCheck = (value) => typeof value === "string" && value !== "";
export const isBoolean: FieldCheck = (value) => typeof value === "boolean";
export const isAddress: FieldCheck = (value) => typeof value === "string" && /^https?:\/\//.test(value);
/** A picture on the web, or inside the text. */
export const isLink: FieldCheck = (value) => typeof value === "string" && /^(https:\/\/|data:image\/)/.test(value);
export const isBase64: FieldCheck = (value) => typeof value === "string" && value.length > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
export const oneOf =
  (values: readonly (string | number)[]): FieldCheck =>
  (value) =>
    values.some((one) => one === value);
export const isShort =
  (length: number): FieldCheck =>
  (value) =>
    isText(value) && String(value).length <= length;
export const isBetween =
  (min: number, max: number): FieldCheck =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
export const isObject =
  (checks: Record<string, FieldCheck>): FieldCheck =>
  (value) =>
    faultyField(value, checks) === null;
export const isListOf =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check);
export const optional =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    value === undefined || check(value);
export const either =
  (...checks: FieldCheck[]): FieldCheck =>
  (value) =>
    checks.some((check) => check(value));

/** The callback of a submit, from the field that the wire has for its address. */
export function callbackOf(body: unknown, name: string): { callback?: { url: string } } {
  const url = textOf(body, name);
  return url === "" ? {} : { callback: { url } };
}

export function reject(says: string): Intent {
  return { do: "reject", says };
}
