/** What the service refused, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field that is to blame, if one is. */
  readonly param: string | null;
  readonly requestId: string | null;

  constructor({ status, code, message, param = null, requestId = null }: ErrorFacts) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
  }
}

type ErrorFacts = { status: number; code: string; message: string; param?: string | null; requestId?: string | null };

/** Reads a refused reply, whichever of the service's error shapes it has. */
export async function errorFrom(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  const inner = field(parsed(text), "error");
  const message = field(inner, "message");
  const code = field(inner, "code");
  const param = field(inner, "param");
  return new ApiError({
    status: response.status,
    code: typeof code === "string" ? code : `http_${response.status}`,
    message: typeof message === "string" && message !== "" ? message : response.statusText || `HTTP ${response.status}`,
    param: typeof param === "string" ? param : null,
    requestId: response.headers.get("x-request-id"),
  });
}

/** Any thrown thing as an ApiError; a request that never got an answer has status 0. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ status: 0, code: "unreachable", message: error instanceof Error ? error.message : String(error) });
}

/** Whether a request was given up on purpose. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A member of something of unknown shape. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
