import type { CallOperation, JsonObject } from "../core/call.ts";

/** Serves calls of one operation through a provider that answers another. */
export type Bridge = {
  /** What the client asked, e.g. "messages". */
  from: CallOperation;
  /** What the provider answers, e.g. "chat". */
  to: CallOperation;
  /** The request in the other dialect; throws Failure("not_supported" | "invalid_request", { says, param }) for what cannot be said there. */
  request(body: JsonObject): JsonObject;
  /** A whole reply back in the client's dialect. `asked` is the client's body. */
  reply(value: JsonObject, asked: JsonObject): JsonObject;
  /** A streamed reply back, event by event. */
  stream(asked: JsonObject): StreamTranslator;
};

/** Takes the events of the provider's stream and gives the text to write in the client's dialect. */
export type StreamTranslator = {
  /** Server-sent events as text, often "". */
  event(name: string | null, data: string): string;
  /** When the provider's stream ended well; "" if everything was said already. */
  end(): string;
};
