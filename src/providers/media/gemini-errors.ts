import type { Errors } from "../job/spec.ts";

/** How Google's API says no: by a word in a reply, by the number of that word in a long-running operation. */
export const geminiErrors: Errors = {
  code: ["error.status", "error.code"],
  message: ["error.message", "response.generateVideoResponse.raiMediaFilteredReasons", "promptFeedback", "candidates[0].finishMessage"],
  codes: {
    INVALID_ARGUMENT: "invalid",
    "3": "invalid",
    FAILED_PRECONDITION: "quota",
    "9": "quota",
    UNAUTHENTICATED: "auth",
    "16": "auth",
    PERMISSION_DENIED: "auth",
    "7": "auth",
    NOT_FOUND: "not_found",
    "5": "not_found",
    RESOURCE_EXHAUSTED: "rate_limit",
    "8": "rate_limit",
    DEADLINE_EXCEEDED: "transient",
    "4": "transient",
    INTERNAL: "transient",
    "13": "transient",
    UNAVAILABLE: "transient",
    "14": "transient",
  },
  texts: [
    ["api key not valid|api key expired", "auth"],
    ["safety|sensitive|prohibited|violat|usage guidelines|responsible ai|content policy", "content_policy"],
  ],
};
