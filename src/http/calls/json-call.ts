import type { CallOperation, JsonObject } from "../../core/call.ts";
import { Failure } from "../../core/errors.ts";
import type { Asked, Meter } from "../../core/meter.ts";
import { answer, type Finish } from "./call.ts";
import type { Ask } from "../operation.ts";
import type { Services } from "../services.ts";

type StreamOptions = { include_usage?: boolean | null } | null | undefined;
type JsonAsk = Ask<
  unknown,
  unknown,
  { model?: string | null; stream?: boolean | null; stream_options?: StreamOptions; async?: boolean | null }
>;

/** Answers a call whose request is JSON: the bytes that came are the bytes that go, where the upstream speaks the same dialect. */
export function answerJson(operation: CallOperation, meter: Meter, ask: JsonAsk, services: Services, finish?: Finish): Promise<unknown> {
  return answer({ ...ask, asked: jsonAsked(operation, ask), meter }, services, finish);
}

/** A JSON request as the core wants it. */
export function jsonAsked(operation: CallOperation, { body, request }: Pick<JsonAsk, "body" | "request">, usualModel?: string): Asked {
  const asked = askedOf(operation, body, usualModel);
  const isUntouched =
    body.model === asked.model && body.async === undefined && (asked.extras === null || body.stream_options === undefined);
  return { ...asked, raw: isUntouched ? request.rawBody : null, headers: passedHeaders(operation, request.headers) };
}

/** The same of a body alone. */
export function askedOf(operation: CallOperation, body: JsonAsk["body"], usualModel?: string): Asked {
  const { async: isDeferred, ...rest } = body;
  // Upstreams do not know the word.
  const fields: JsonObject = isDeferred === true ? { ...rest, async: true } : rest;
  const model = body.model ?? usualModel;
  if (model === undefined) throw new Failure("invalid_request", { says: "'model' is required.", param: "model" });
  const stream = body.stream === true;
  const extras = stream && (operation === "chat" || operation === "completion") ? useExtras(body.stream_options) : null;
  return {
    operation,
    model,
    body: fields,
    raw: null,
    extras,
    files: [],
    stream,
    headers: none,
  };
}

const useOnly = { stream_options: { include_usage: true } };

/** Upstreams are always asked to tell the use, so that it need not be guessed. */
function useExtras(options: StreamOptions): JsonObject | null {
  if (options === undefined || options === null) return useOnly;
  return options.include_usage === true ? null : { stream_options: { ...options, include_usage: true } };
}

const headersOf: Partial<Record<CallOperation, readonly string[]>> = { messages: ["anthropic-beta", "anthropic-version"] };

function passedHeaders(operation: CallOperation, headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const names = headersOf[operation];
  if (names === undefined) return none;
  return Object.fromEntries(names.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]]] : [])));
}

const none = {};
