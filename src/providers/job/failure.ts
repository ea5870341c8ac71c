import { errorTable } from "../../core/errors.ts";
import type { FailureClass, Refusal } from "../../core/refusal.ts";
import { readFirst, readText } from "./path.ts";
import type { Paths } from "./path.ts";
import type { Errors } from "./spec.ts";
import { redact } from "../upstream/redact.ts";

/** What a client may read about each class of failure: nothing in it comes from the upstream. */
const sentences: Record<FailureClass, string> = {
  invalid: "The provider does not accept this request.",
  auth: errorTable.upstream_unavailable.sentence,
  quota: errorTable.upstream_unavailable.sentence,
  rate_limit: "The provider is busy.",
  content_policy: errorTable.content_policy.sentence,
  input_unreachable: errorTable.input_unreachable.sentence,
  not_found: "The provider does not offer this model.",
  transient: errorTable.upstream_error.sentence,
  timeout: errorTable.upstream_timeout.sentence,
  unsupported: errorTable.not_supported.sentence,
  expired: "The provider gave the request up before it was finished.",
  cancelled: "The provider cancelled the request.",
};

/** A no of this class, with its sentence for the client and its cause for the log. */
export function refuse(failure: FailureClass, cause: string, retryAfterMs?: number): Refusal {
  return { class: failure, says: sentences[failure], cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** What a record or reply says went wrong: its code where it has one, and its message. */
export function readError(errors: Errors, record: unknown): { code: string | undefined; message: string | undefined } {
  return { code: readText(record, errors.code), message: readMessage(record, errors.message) };
}

function readMessage(record: unknown, paths: Paths | undefined): string | undefined {
  const found = readFirst(record, paths);
  if (found === undefined || typeof found === "string") return found;
  return JSON.stringify(found);
}

/** The class of an error by its code or HTTP status, and by its words where those say no more than "invalid"; undefined where none says. */
export function classify(errors: Errors, record: unknown, status?: number): FailureClass | undefined {
  const { code, message } = readError(errors, record);
  const byStatus = status === undefined ? undefined : (errors.http?.[status] ?? defaultOf(status));
  const known = byCode(errors, code) ?? byStatus;
  return known === undefined || known === "invalid" ? (byText(errors, message) ?? known) : known;
}

/** One line for the log: status, code and message, or the raw text where the reply has neither. */
export function describe(
  errors: Errors,
  record: unknown,
  secrets: string | readonly string[],
  reply?: { status: number; text: string },
): string {
  const { code, message } = readError(errors, record);
  const parts = [reply && `HTTP ${reply.status}`, code, message ?? (code === undefined ? reply?.text : undefined)];
  return redact(parts.filter(Boolean).join(" "), secrets);
}

function byCode({ codes = {} }: Errors, code: string | undefined): FailureClass | undefined {
  if (code === undefined) return undefined;
  if (Object.hasOwn(codes, code)) return codes[code];
  return Object.entries(codes).find(([pattern]) => matches(pattern, code))?.[1];
}

function matches(pattern: string, code: string): boolean {
  if (!pattern.endsWith("*")) return false;
  return pattern.startsWith("*") ? code.includes(pattern.slice(1, -1)) : code.startsWith(pattern.slice(0, -1));
}

function byText({ texts = [] }: Errors, message: string | undefined): FailureClass | undefined {
  if (message === undefined) return undefined;
  const words = message.slice(0, 2_000);
  return texts.find(([pattern]) => new RegExp(pattern, "i").test(words))?.[1];
}

function defaultOf(status: number): FailureClass | undefined {
  if (status < 400) return undefined;
  if (status >= 500) return "transient";
  return special[status] ?? "invalid";
}

const special: Readonly<Record<number, FailureClass>> = {
  401: "auth",
  402: "quota",
  403: "auth",
  404: "not_found",
  408: "transient",
  410: "not_found",
  425: "transient",
  429: "rate_limit",
  451: "content_policy",
};
