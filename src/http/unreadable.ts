import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Failure } from "../core/errors.ts";
import { errorCode } from "../kit/error-code.ts";
import { uuidv7 } from "../kit/ids.ts";
import { shapeError } from "./error-shapes.ts";

/** Answers what could not even be read as an HTTP request in the same shape as anything else. */
export function answerUnreadable(error: unknown, socket: Socket): void {
  const code = errorCode(error);
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const failure = failureOf(code);
  const body = JSON.stringify(shapeError(failure, "plain"));
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    "connection: close",
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${uuidv7()}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function failureOf(code: string): Failure {
  if (code === "HPE_HEADER_OVERFLOW") return new Failure("too_large", { says: "The headers of the request are too large." });
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Failure("invalid_request", { says: "The request did not arrive in time." });
  return new Failure("invalid_request", { says: "This is not a valid HTTP request." });
}
