import type { LabReply, No } from "../dialect.ts";

const refusals: Record<No, { status: number; code: number }> = {
  auth: { status: 401, code: 1002 },
  invalid: { status: 400, code: 1201 },
  quota: { status: 429, code: 1102 },
  rate_limit: { status: 429, code: 1303 },
  content_policy: { status: 400, code: 1301 },
  missing: { status: 404, code: 1203 },
  down: { status: 500, code: 5000 },
};

/** How both generations of Kling's API say no. */
export function klingNo(reason: No, says: string): LabReply {
  const { status, code } = refusals[reason];
  return { status, body: { code, message: says, request_id: "lab" } };
}
