import type { Engine } from "./engine.ts";
import { holds, readFirst } from "./path.ts";
import type { Meaning } from "./spec.ts";

/** What a record says of its job; undefined where it has no status that could be read. */
export function meaningOf({ spec: { status }, words }: Engine, record: unknown, http: number): Meaning | undefined {
  const rule = status.rules?.find(({ when }) => holds(record, when, http));
  if (rule) return rule.means;
  if (status.at === undefined) return "running";
  const found = readFirst(record, status.at);
  const hasParts = [status.at].flat().some((path) => path.includes("[*]"));
  if (hasParts && Array.isArray(found)) return ofParts(found.map((word) => ofWord(words, word)));
  return ofWord(words, found);
}

/** What the status of a reply alone says, where a rule names it: how some tell of jobs that failed or wait. */
export function meaningOfStatus({ spec: { status } }: Engine, body: unknown, http: number): Meaning | undefined {
  return status.rules?.find(({ when }) => when.some(({ at }) => at === "@http") && holds(body, when, http))?.means;
}

// Anything but an unknown word is no answer at all: a job without a status, or a status that is an object.
function ofWord(words: ReadonlyMap<string, Meaning>, word: unknown): Meaning | undefined {
  return words.get(String(word).toLowerCase()) ?? (typeof word === "string" ? "running" : undefined);
}

function ofParts(parts: readonly (Meaning | undefined)[]): Meaning | undefined {
  if (parts.every((part) => part === undefined)) return undefined;
  if (parts.every((part) => part === "queued")) return "queued";
  if (parts.some((part) => part === undefined || part === "queued" || part === "running")) return "running";
  if (parts.includes("done")) return "done";
  const [first] = parts;
  return parts.every((part) => part === first) ? first : "failed";
}
