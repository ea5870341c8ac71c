import { Failure } from "../core/errors.ts";
import { textOf } from "./xml.ts";

/** What an object store answered instead of doing it; status 0 where it did not answer at all. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, says: string, cause?: unknown) {
    super(says, { cause });
    this.name = "S3Error";
    this.status = status;
    this.code = code;
  }
}

export type Refusal = { status: number; region: string; xml: string; bucket: string; endpoint: string };

/** The refusal as an operator can act on it. */
export function refused({ status, region, xml, bucket, endpoint }: Refusal): S3Error {
  const code = textOf(xml, "Code");
  const place = textOf(xml, "Region") || region;
  const known: Record<string, string> = {
    NoSuchBucket: `there is no bucket "${bucket}" at ${endpoint}`,
    InvalidAccessKeyId: "it does not know the access key",
    SignatureDoesNotMatch: "the secret key does not belong to the access key",
    ExpiredToken: "the session token has expired",
    AccessDenied: `the access key may not do this in the bucket "${bucket}"`,
    RequestTimeTooSkewed: "the clock of this machine is wrong",
    PermanentRedirect: `the bucket "${bucket}" is in another region${place && `, ${place}`}; set region in its address`,
    AuthorizationHeaderMalformed: `the bucket "${bucket}" is in another region${place && `, ${place}`}; set region in its address`,
  };
  const says = known[code] ?? textOf(xml, "Message").slice(0, 300);
  return new S3Error(status, code, `the object store answered ${[status, code].join(" ").trim()}${says && `: ${says}`}`);
}

/** True for what may go better in a moment. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof S3Error)) return false;
  return (
    error.status === 0 || (error.status >= 500 && error.status !== 501) || passing.has(error.status) || error.code === "RequestTimeout"
  );
}

const passing = new Set([408, 409, 425, 429]);

/** What a caller is told: a store that refuses or is silent is no fault of the request, and what was wanted may be had later. */
export function failureOf(error: unknown): unknown {
  return error instanceof S3Error
    ? new Failure("unavailable", { says: "Media cannot be stored or read now; try again later.", cause: error })
    : error;
}

/** The same for reading, where what is not there is told. */
export function readFailureOf(error: unknown): unknown {
  const isAbsent = error instanceof S3Error && error.status === 404 && error.code !== "NoSuchBucket";
  return isAbsent ? new Failure("not_found", { cause: error }) : failureOf(error);
}
