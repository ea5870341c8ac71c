import type { Errors } from "../job/spec.ts";

/** How both generations of Kling's API say no. */
export const klingErrors: Errors = {
  code: "code",
  message: ["task_status_msg", "message"],
  codes: {
    "1000": "auth",
    "1001": "auth",
    "1002": "auth",
    "1003": "auth",
    "1004": "auth",
    "1100": "quota",
    "1101": "quota",
    "1102": "quota",
    "1103": "auth",
    "1200": "invalid",
    "1201": "invalid",
    "1202": "not_found",
    "1203": "not_found",
    "1300": "content_policy",
    "1301": "content_policy",
    "1302": "rate_limit",
    "1303": "rate_limit",
    "1304": "auth",
    "50*": "transient",
  },
  texts: [
    ["risk control|content safety|sensitive|policy|moderat|violat", "content_policy"],
    ["balance|resource pack|arrears", "quota"],
  ],
};
