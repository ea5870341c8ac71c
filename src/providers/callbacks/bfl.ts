import type { Verifier } from "../job/spec.ts";
import { forged, genuine, isHmac } from "./hmac.ts";

/** Messages of Black Forest Labs: signed over the body with the secret that the job itself carried. */
export const bfl: Verifier = ({ headers, body }, { job }) => {
  const signature = /^sha256=([0-9a-f]+)$/i.exec(headers["x-bfl-signature"] ?? "")?.[1];
  if (signature === undefined || job === "") return forged("the message is not signed");
  return isHmac(signature.toLowerCase(), { key: job, over: [body], as: "hex" }) ? genuine : forged("the signature is wrong");
};
