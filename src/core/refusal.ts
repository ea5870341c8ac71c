import type { Failure } from "./errors.ts";

/** Why an upstream said no; decides whether trying again, here or elsewhere, can help. */
export type FailureClass =
  | "invalid"
  | "auth"
  | "quota"
  | "rate_limit"
  | "content_policy"
  | "input_unreachable"
  | "not_found"
  | "transient"
  /** No answer within the time we were ready to wait. */
  | "timeout"
  /** This upstream or model cannot do it; another may. */
  | "unsupported"
  | "expired"
  | "cancelled";

export type Refusal = {
  class: FailureClass;
  /** One sentence a client may read: never the upstream's name, host, account or key. */
  says?: string;
  /** The field of the request at fault. */
  param?: string;
  /** What the upstream really said, for the log. */
  cause?: string;
  retryAfterMs?: number;
  /** No definite no: the answer was lost or cannot be read, and the work may have been done all the same. */
  isUnsure?: true;
};

/** What a request that an adapter could not put into an upstream's words is refused with. */
export function refusalOfFailure({ code, message, param }: Failure): Refusal {
  return {
    class: code === "not_supported" ? "unsupported" : "invalid",
    says: message,
    cause: message,
    ...(param === null ? {} : { param }),
  };
}

/** A key of an upstream, and the name we know it by. */
export type Credential = { id: string; secret: string };
