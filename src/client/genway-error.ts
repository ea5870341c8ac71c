import { textIn, valueIn } from "./reading.ts";
import type { TaskRecord } from "./task-record.ts";

export type ErrorDetails = {
  /** The status of the reply; 0 when there was none. */
  status: number;
  /** One of the codes of docs/errors.md, or `unreachable`, `timeout`, `invalid_signature` where the service said nothing. */
  code: string;
  /** The field of the request that it is about. */
  param?: string | null;
  /** What the operator can find the request by. */
  requestId?: string | null;
  /** Seconds to wait before it is worth another try. */
  retryAfter?: number | null;
  cause?: unknown;
};

/** What went wrong, in the words of the service. */
export class GenwayError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor(message: string, { status, code, param = null, requestId = null, retryAfter = null, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "GenwayError";
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** A task that was waited for ended as FAILURE. */
export class TaskFailure extends GenwayError {
  readonly task: TaskRecord;

  constructor(task: TaskRecord) {
    const { message = "The task failed.", code = "internal", param = null } = task.error ?? {};
    super(message, { status: 0, code, param });
    this.name = "TaskFailure";
    this.task = task;
  }
}

/** The refusal that a reply is; `body` is what it held, read as JSON where that is possible. */
export function refusalOf(response: Response, body: unknown): GenwayError {
  const error = valueIn(body, "error");
  return new GenwayError(textIn(error, "message") ?? `The service answered ${response.status}.`, {
    status: response.status,
    code: textIn(error, "code") ?? "unknown",
    param: textIn(error, "param"),
    requestId: response.headers.get("x-request-id"),
    retryAfter: retryAfterOf(response),
  });
}

/** The same for a reply whose body has not been read yet. */
export async function readRefusal(response: Response): Promise<GenwayError> {
  return refusalOf(response, await response.json().catch(() => null));
}

/** The seconds that a reply asks to wait; null when it does not. */
export function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
