import type { JsonObject } from "../core/call.ts";
import { errorTable, type ErrorCode } from "../core/errors.ts";
import { objectOf, textOf } from "./json-reading.ts";

/** An error inside a stream in our own words: what the upstream says about itself stays behind. */
export type StreamError = { code: ErrorCode; message: string };

/** Reads the error object of either dialect's stream. */
export function streamError(error: unknown): StreamError {
  const code = codeOf(objectOf(error));
  return { code, message: errorTable[code].sentence };
}

function codeOf(error: JsonObject): ErrorCode {
  const words = `${textOf(error.type)} ${textOf(error.code)} ${typeof error.code === "number" ? error.code : ""}`;
  if (/overloaded|rate_limit|unavailable|\b(429|503|529)\b/.test(words)) return "upstream_unavailable";
  if (/timeout|\b(408|504)\b/.test(words)) return "upstream_timeout";
  if (/content_(filter|policy)/.test(words)) return "content_policy";
  return "upstream_error";
}
