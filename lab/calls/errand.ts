import type { ServerResponse } from "node:http";
import type { CallEnd, LabCall } from "./ledger.ts";
import type { Plan } from "./plan.ts";
import type { CallReply, Frame } from "./upstream.ts";

/** A reply on its way: how it is to be spoiled, and the line in the ledger that says how far it came. */
export type Errand = {
  response: ServerResponse;
  reply: CallReply;
  plan: Plan;
  entry: LabCall;
  end(ended: CallEnd): void;
  /** How the upstream tells of an error after the reply began. */
  error(): Frame;
};
