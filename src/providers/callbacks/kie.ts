import { readText } from "../job/path.ts";
import type { Verifier } from "../job/spec.ts";
import { forged, genuine, isHmac, isRecent } from "./hmac.ts";

const windowSeconds = 300;

/** Messages of kie.ai: the signature covers the task's id and the time, and nothing else of the body. */
export const kie: Verifier = ({ headers, body, now }, { webhook }) => {
  // Without a secret nothing can be checked; the address itself is a secret, and a message is only a reason to ask.
  if (!webhook) return genuine;
  const time = headers["x-webhook-timestamp"] ?? "";
  const signature = headers["x-webhook-signature"] ?? "";
  const taskId = readText(parsed(body), ["data.task_id", "data.taskId", "taskId"]);
  if (time === "" || signature === "" || taskId === undefined) return forged("the message is not signed");
  if (!isRecent(time, now, windowSeconds)) return forged("the message is old, or from the future");
  return isHmac(signature, { key: webhook, over: [taskId, ".", time], as: "base64" }) ? genuine : forged("the signature is wrong");
};

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
