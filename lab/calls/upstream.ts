import type { IncomingHttpHeaders } from "node:http";
import type { LabReply, No } from "../dialect.ts";
import type { Plan } from "./plan.ts";

/** A file of a form, or the bytes of a body that is neither JSON nor a form. */
export type CallFile = { field: string; name: string; mime: string; bytes: Uint8Array };

export type CallRequest = {
  method: string;
  /** Without the upstream's name. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** JSON, or the fields of a form. */
  body: unknown;
  files: readonly CallFile[];
};

/** One event of a stream; `words` is how many tokens of the reply it carries. */
export type Frame = { data: string; event?: string; words: number };

/** A reply as the dialect would give it, before the plan spoils it. */
export type CallReply =
  | { form: "whole"; mime: string; body: string | Uint8Array; words: number; headers?: Record<string, string> }
  | { form: "frames"; wire: "sse" | "lines" | "array"; frames: Iterable<Frame>; headers?: Record<string, string> }
  /** Media in pieces. */
  | { form: "pieces"; mime: string; pieces: Iterable<Uint8Array>; headers?: Record<string, string> };

/** What an answer is made with. */
export type CallWork = {
  /** The same as in the ledger; replies name themselves after it. */
  id: string;
  nowMs: number;
  plan: Plan;
  /** An address of one of the lab's media. */
  link(file: string): string;
};

/** What a request asks for, whatever its wire. */
export type CallOrder = {
  operation: string;
  model: string;
  /** The text whose marks count. */
  prompt: string;
  promptTokens: number;
  /** Characters of speech, images made, or seconds heard; 0 for the rest. */
  units: number;
  stream: boolean;
  answer(work: CallWork): CallReply;
};

export type CallNo = No | "context";

/** A refusal before it has the upstream's shape; without a status the reason has its usual one. */
export type CallRefusal = { reason: CallNo; says: string; status?: number; retrySeconds?: number };

export type CallIntent = { do: "call"; order: CallOrder } | { do: "show"; body: unknown } | { do: "reject"; refusal: CallRefusal };

/** The wire of one upstream as it looks from the other side. */
export type CallUpstream = {
  /** The first segment of its addresses in the lab. */
  name: string;
  isOpen: boolean;
  key(request: CallRequest): string | null;
  /** Null where the upstream has no such address. */
  read(request: CallRequest): CallIntent | null;
  no(refusal: CallRefusal, request: CallRequest): LabReply;
  /** How an error looks after the reply began. */
  error(says: string, order: CallOrder): Frame;
};

export function call(order: Omit<CallOrder, "units"> & { units?: number }): CallIntent {
  return { do: "call", order: { units: 0, ...order } };
}

export function reject(says: string, reason: CallNo = "invalid"): CallIntent {
  return { do: "reject", refusal: { reason, says } };
}

export function jsonReply(body: unknown, words = 0, headers?: Record<string, string>): CallReply {
  return { form: "whole", mime: "application/json", body: JSON.stringify(body), words, headers };
}
