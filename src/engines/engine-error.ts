/** Why a built-in generator gave no result. */
export const engineReasons = ["invalid", "missing", "memory", "stalled", "crashed", "cancelled", "closed", "busy", "failed"] as const;
export type EngineReason = (typeof engineReasons)[number];

/** A generator's "no": the message is a sentence for people, `cause` is for the log. */
export class EngineError extends Error {
  readonly reason: EngineReason;

  constructor(reason: EngineReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "EngineError";
    this.reason = reason;
  }
}
