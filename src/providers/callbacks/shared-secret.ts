import { createHash, timingSafeEqual } from "node:crypto";
import type { Verifier } from "../job/spec.ts";
import { forged, genuine } from "./hmac.ts";

/** Messages that repeat the job's secret in a header; that upstreams leave it out is known, that they get it wrong is not. */
export const sharedSecret: Verifier = ({ headers }, { job }) => {
  const given = headers["x-webhook-secret"];
  if (given === undefined || given === "" || job === "") return genuine;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(job)) ? genuine : forged("the secret is wrong");
};
