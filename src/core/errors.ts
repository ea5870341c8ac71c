/** Every error a client can meet: its HTTP status, whether trying again can help, and its standard sentence. */
export const errorTable = {
  invalid_request: { status: 400, retryable: false, sentence: "The request is not valid." },
  not_supported: { status: 400, retryable: false, sentence: "The model or provider cannot do this." },
  invalid_key: { status: 401, retryable: false, sentence: "A valid API key is needed: send it as 'Authorization: Bearer <key>'." },
  insufficient_balance: { status: 402, retryable: false, sentence: "The balance does not cover this request; nothing was started." },
  not_allowed: { status: 403, retryable: false, sentence: "This key may not do that." },
  model_not_found: { status: 404, retryable: false, sentence: "There is no such model." },
  task_not_found: { status: 404, retryable: false, sentence: "There is no such task." },
  not_found: { status: 404, retryable: false, sentence: "There is nothing at this address." },
  method_not_allowed: { status: 405, retryable: false, sentence: "This address does not take that method." },
  idempotency_in_flight: { status: 409, retryable: true, sentence: "The first request with this Idempotency-Key is not answered yet." },
  task_finished: { status: 409, retryable: false, sentence: "The task has already finished." },
  task_not_ready: { status: 409, retryable: true, sentence: "The task has not finished yet." },
  too_large: { status: 413, retryable: false, sentence: "The request is too large." },
  unsupported_media_type: { status: 415, retryable: false, sentence: "This content type is not accepted here." },
  idempotency_mismatch: { status: 422, retryable: false, sentence: "This Idempotency-Key was used with another request." },
  rate_limited: { status: 429, retryable: true, sentence: "Too many requests." },
  too_many_tasks: { status: 429, retryable: true, sentence: "Too many tasks of this key are running." },
  queue_full: { status: 429, retryable: true, sentence: "The queue is full." },
  internal: { status: 500, retryable: true, sentence: "Something went wrong on our side." },
  upstream_error: { status: 502, retryable: true, sentence: "The provider could not complete the request." },
  upstream_unavailable: { status: 503, retryable: true, sentence: "No provider for this model is available now." },
  unavailable: { status: 503, retryable: true, sentence: "The service is not accepting requests now." },
  upstream_timeout: { status: 504, retryable: true, sentence: "The provider did not answer in time." },
  cancelled: { status: 409, retryable: false, sentence: "The task was cancelled." },
  expired: { status: 504, retryable: true, sentence: "The task was not finished before its deadline." },
  content_policy: { status: 400, retryable: false, sentence: "The provider refused the content of this request." },
  input_unreachable: { status: 400, retryable: false, sentence: "A file that the request names could not be fetched." },
  unknown_outcome: {
    status: 502,
    retryable: false,
    sentence: "It is not known whether the provider started this task; it was not repeated and not charged.",
  },
} as const satisfies Record<string, { status: number; retryable: boolean; sentence: string }>;

export type ErrorCode = keyof typeof errorTable;

export type FailureDetails = {
  /** For the caller. */
  says?: string;
  /** The request field at fault. */
  param?: string;
  /** For the log alone. */
  cause?: unknown;
  retryAfterMs?: number;
};

/** An outcome that the caller is told about: `says` is for the caller, `cause` for the log, never mixed. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(details.says ?? errorTable[code].sentence, { cause: details.cause });
    this.name = "Failure";
    this.code = code;
    this.param = details.param ?? null;
    this.retryAfterMs = details.retryAfterMs;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}
