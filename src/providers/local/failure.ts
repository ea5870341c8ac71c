import { Failure } from "../../core/errors.ts";
import type { FailureClass, Refusal } from "../../core/refusal.ts";
import { EngineError, type EngineReason } from "../../engines/engine-error.ts";

const busyForMs = 2000;

const classes: Record<EngineReason, FailureClass> = {
  invalid: "invalid",
  missing: "unsupported",
  busy: "rate_limit",
  memory: "transient",
  stalled: "transient",
  crashed: "transient",
  failed: "transient",
  closed: "transient",
  cancelled: "cancelled",
};

/** What a built-in generator's trouble means to whoever asked. */
export function refusalOf(error: unknown, signal: AbortSignal): Refusal {
  if (signal.aborted) return { class: "cancelled" };
  if (error instanceof Failure) return refusalOfFailure(error);
  if (!(error instanceof EngineError)) return { class: "transient", cause: String(error) };
  return {
    class: classes[error.reason],
    says: error.message,
    ...causeOf(error),
    ...(error.reason === "busy" && { retryAfterMs: busyForMs }),
  };
}

function refusalOfFailure(failure: Failure): Refusal {
  const { code, message: says, param } = failure;
  const why = code === "input_unreachable" ? code : code === "not_supported" ? "unsupported" : "invalid";
  return { class: why, says, ...(param !== null && { param }), ...causeOf(failure) };
}

function causeOf({ cause }: Error): { cause?: string } {
  return cause === undefined || cause === "" ? {} : { cause: String(cause) };
}
