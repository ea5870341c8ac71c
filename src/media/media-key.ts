import { Failure } from "../core/errors.ts";
import { uuidv7 } from "../kit/ids.ts";

const pattern = /^([0-9a-f]{2})\/([0-9a-f]{2})\/[0-9a-f]{8}(-[0-9a-f]{4}){4}[0-9a-f]{4}\1\2$/;

/** A key of its own for a new medium; its folders come from the end of the id, which is random: its start is the time. */
export function newKey(): string {
  const id = uuidv7();
  return `${id.slice(-4, -2)}/${id.slice(-2)}/${id}`;
}

/** The key as given, where it can be one of ours. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Failure("not_found", { cause: new Error("not the key of a medium") });
  return key;
}

/** Whether a text is the key of a medium that was begun before a time. */
export function isKeyBefore(text: string, ms: number): boolean {
  return isKey(text) && madeAt(text) < ms;
}

function isKey(text: string): boolean {
  return pattern.test(text);
}

function madeAt(key: string): number {
  return Number.parseInt(key.slice(6).replace("-", "").slice(0, 12), 16);
}
