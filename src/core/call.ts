/** Immediate work: what a client asks for in one of the known dialects, and what a provider makes of it. */
import type { Kind } from "./kinds.ts";
import type { Credential, Refusal } from "./refusal.ts";

/**
 * The operations that are answered at once, each in one wire dialect: those of OpenAI, except `messages` (Anthropic's)
 * and `rerank` (Jina's and Cohere's).
 */
export const callOperations = [
  "completion",
  "chat",
  "responses",
  "messages",
  "embedding",
  "moderation",
  "rerank",
  "image",
  "image-edit",
  "image-variation",
  "speech",
  "transcription",
  "translation",
] as const;
export type CallOperation = (typeof callOperations)[number];

export type CallKind = Exclude<Kind, "video" | "music" | "lyrics">;

/** The kind of model that an operation asks for. */
export const kindOfOperation: Record<CallOperation, CallKind> = {
  completion: "completion",
  chat: "chat",
  responses: "chat",
  messages: "chat",
  embedding: "embedding",
  moderation: "moderation",
  rerank: "rerank",
  image: "image",
  "image-edit": "image",
  "image-variation": "image",
  speech: "speech",
  transcription: "transcription",
  translation: "transcription",
};

export type JsonObject = Record<string, unknown>;

/** A file that came with a form. */
export type CallFile = { field: string; name: string; mime: string; bytes: Uint8Array };

/** One call as a provider sees it. */
export type Call = {
  operation: CallOperation;
  /** The upstream's own name of the model. */
  model: string;
  /** The request in the operation's dialect: the body, or the fields of a form; its `model` is the client's. */
  body: JsonObject;
  /** The same as JSON text with the upstream's model in it; made when first read. */
  readonly json: Uint8Array;
  files: readonly CallFile[];
  /** Whether the client wants the reply as it is made. */
  stream: boolean;
  /** The client's own headers that upstreams of the same dialect understand, e.g. `anthropic-beta`. */
  headers: Readonly<Record<string, string>>;
};

/** What a provider may use while it answers. */
export type CallWork = {
  /** Aborted when the client has gone or the time is up. */
  signal: AbortSignal;
  credential: Credential;
  /** The longest wait for the first byte of the reply, and between two pieces of it. */
  patienceMs: number;
};

/**
 * A reply in the dialect of the call's operation. `whole` is complete and can be read; a `stream` comes in pieces that may cut
 * anywhere, and throws a BrokenReply when it ends before its time. Leaving the iteration stops the upstream.
 */
export type Answer =
  | { state: "whole"; mime: string; body: Uint8Array; /** The body as JSON, where it is. */ value?: unknown }
  | { state: "stream"; mime: string; pieces: AsyncIterable<Uint8Array> }
  /** A definite no, before any byte of a reply. */
  | { state: "refused"; refusal: Refusal };

/** Answers calls of one operation; never throws, except from the pieces of a stream. */
export type AnswerCall = (call: Call, work: CallWork) => Promise<Answer>;

/** A reply that ended before it was whole. */
export class BrokenReply extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.cause ?? refusal.class);
    this.name = "BrokenReply";
    this.refusal = refusal;
  }
}
