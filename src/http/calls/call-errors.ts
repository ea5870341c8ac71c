import type { Failure } from "../../core/errors.ts";
import type { CallOperation } from "../../core/call.ts";
import { errorBody, messagesError } from "../error-shapes.ts";

/** An error inside a stream that has begun, in the dialect of its operation. */
export function errorEvent(operation: CallOperation, failure: Failure): string {
  if (operation === "messages") return `event: error\ndata: ${JSON.stringify(messagesError(failure))}\n\n`;
  const error = errorBody(failure.code, failure.message, failure.param);
  if (operation === "responses") return `event: error\ndata: ${JSON.stringify({ ...error, type: "error", sequence_number: 0 })}\n\n`;
  return `data: ${JSON.stringify({ error })}\n\n`;
}
