import type { Dialect, LabReply, No } from "../dialect.ts";

const refusals: Record<No, { status: number; code: string }> = {
  auth: { status: 401, code: "" },
  invalid: { status: 400, code: "invalid_request" },
  quota: { status: 403, code: "insufficient_user_quota" },
  rate_limit: { status: 429, code: "rate_limit" },
  content_policy: { status: 400, code: "invalid_request" },
  missing: { status: 400, code: "task_not_exist" },
  down: { status: 500, code: "do_request_failed" },
};

/** How every relay of the family says no, whatever it relays. */
export function relayNo(reason: No, says: string): LabReply {
  const { status, code } = refusals[reason];
  const message = reason === "content_policy" ? `the prompt did not pass moderation: ${says}` : says;
  return { status, body: reason === "auth" ? { error: { message, type: "relay_error" } } : { code, message, data: null } };
}

/** The states of its music tasks. */
export const relayStates: Pick<Dialect, "plain" | "words"> = {
  plain: { queued: "QUEUED", running: "IN_PROGRESS", done: "SUCCESS", failed: "FAILURE", cancelled: "FAILURE" },
  words: {
    NOT_START: { shows: "queued", means: "queued" },
    SUBMITTED: { shows: "queued", means: "queued" },
    QUEUED: { shows: "queued", means: "queued" },
    IN_PROGRESS: { shows: "running", means: "running" },
    SUCCESS: { shows: "done", means: "done" },
    FAILURE: { shows: "failed", means: "failed" },
    UNKNOWN: { shows: "running", means: "running" },
  },
};
