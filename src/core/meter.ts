/** How the use of calls is bounded before and measured after; each operation's dialect has its own way. */
import type { Answer, CallFile, CallOperation, JsonObject } from "./call.ts";
import type { Amounts, Measured } from "./pricing.ts";

/** A call as an operation group understood it. */
export type Asked = {
  operation: CallOperation;
  /** The public name of the model. */
  model: string;
  body: JsonObject;
  /** The body as JSON text, where it came so and nothing was changed. */
  raw: Uint8Array | null;
  /** Fields for the upstream that the client did not ask for, none of them in the body. */
  extras: JsonObject | null;
  files: readonly CallFile[];
  stream: boolean;
  /** Headers of the client that upstreams of the same dialect understand. */
  headers: Readonly<Record<string, string>>;
};

export type Whole = Extract<Answer, { state: "whole" }>;

export type Meter = {
  /** The most that the input can come to. */
  most(asked: Asked): Amounts;
  /** Present where the output is counted in tokens and can be limited. */
  output?: OutputLimit;
  /** What a whole reply used, as it tells itself or as it follows from the request; null where nobody tells. */
  told(asked: Asked, answer: Whole): Amounts | null;
  /** The same, counted by us. */
  counted(asked: Asked, answer: Whole): Promise<Amounts>;
  /** `alias` is the name that the client knows the model by, where the upstream has another. */
  stream(asked: Asked, alias: string | null): StreamMeter;
};

export type OutputLimit = {
  /** How many tokens each choice may have; null where neither the request nor its dialect says. */
  of(body: JsonObject): number | null;
  /** Whether the request itself says it. */
  names(body: JsonObject): boolean;
  /** How many choices are made. */
  times(body: JsonObject): number;
  /** The request with another limit. */
  change(body: JsonObject, tokens: number): JsonObject;
};

/** Follows a streamed reply as it passes, in bounded memory. */
export type StreamMeter = {
  /** What may go to the client now; null where nothing may yet. Throws a BrokenReply when the reply says that it failed. */
  pass(piece: Uint8Array): Uint8Array | null;
  /** What the end of the stream completes. */
  flush(): Uint8Array | null;
  /** Whether a reply that ended here is whole. */
  isWhole(): boolean;
  told(): Amounts | null;
  counted(): Promise<Amounts>;
  /** What is left to say once the reply is paid for. */
  last(costUsd: number, measured: Measured): Uint8Array;
};
