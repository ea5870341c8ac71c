import type { ErrorCode } from "../core/errors.ts";
import { errorTable, type Failure } from "../core/errors.ts";

/** How a group words its errors: plain as OpenAI does, or in the envelope of the task groups. */
export type ErrorShape = "plain" | "envelope";

export type ErrorBody = { message: string; type: string; param: string | null; code: ErrorCode };

const types: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "insufficient_quota",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

/** The inner error object, the same in every shape. */
export function errorBody(code: ErrorCode, message: string, param: string | null = null): ErrorBody {
  const { status } = errorTable[code];
  return { message, type: types[status] ?? (status >= 500 ? "server_error" : "invalid_request_error"), param, code };
}

/** A failure in the words of a group. */
export function shapeError(failure: Failure, shape: ErrorShape): object {
  const error = errorBody(failure.code, failure.message, failure.param);
  return shape === "plain" ? { error } : { code: failure.code, message: failure.message, data: null, error };
}
