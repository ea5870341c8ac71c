import { Type, type TSchema } from "typebox";
import { errorTable, type ErrorCode, type Failure } from "../core/errors.ts";
import { TaskError } from "./wire.ts";

/** How a group words its errors: plain as OpenAI does, in the envelope of the task groups, as Anthropic does, or as Midjourney proxies do. */
export type ErrorShape = "plain" | "envelope" | "messages" | "midjourney";

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
  if (shape === "messages") return messagesError(failure);
  const error = errorBody(failure.code, failure.message, failure.param);
  if (shape === "midjourney") return { code: resultCode(failure), description: failure.message, result: null, properties: {}, error };
  return shape === "plain" ? { error } : { code: failure.code, message: failure.message, data: null, error };
}

/** Midjourney proxies' own numbers: not found, queue full, refused content, anything else. */
function resultCode({ code, status }: Failure): number {
  if (status === 404) return 3;
  if (code === "queue_full") return 23;
  return code === "content_policy" ? 24 : 4;
}

const messagesTypes: Record<number, string> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  502: "api_error",
  503: "overloaded_error",
  504: "timeout_error",
};

/** A failure as Anthropic words it, with our code beside. */
export function messagesError({ status, code, message }: Failure): object {
  return { type: "error", error: { type: messagesTypes[status] ?? "invalid_request_error", message, code } };
}

/** The same shapes for the description of the service. */
export const errorSchemas: Record<ErrorShape, TSchema> = {
  plain: Type.Object({ error: TaskError }, { description: "An error" }),
  messages: Type.Object(
    { type: Type.Literal("error"), error: Type.Object({ type: Type.String(), message: Type.String(), code: Type.String() }) },
    { description: "An error" },
  ),
  midjourney: Type.Object(
    {
      code: Type.Integer(),
      description: Type.String(),
      result: Type.Null(),
      properties: Type.Object({}, { additionalProperties: true }),
      error: TaskError,
    },
    { description: "An error" },
  ),
  envelope: Type.Object({ code: Type.String(), message: Type.String(), data: Type.Null(), error: TaskError }, { description: "An error" }),
};
