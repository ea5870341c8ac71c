import type { Call, CallOperation, JsonObject } from "../../core/call.ts";
import type { StreamTranslator } from "../../dialects/bridge.ts";
import type { UpstreamAuth } from "../upstream/upstream.ts";

/** An upstream that answers at once, as data: `call.ts` does the rest. */
export type CallSpec = {
  type: string;
  /** Absent where the operator must name it. */
  baseUrl?: string;
  /** How the key is shown; a bearer token unless given. */
  auth?: UpstreamAuth;
  /** Whether an upstream may be configured without any key, e.g. on the own machine. */
  keyOptional?: boolean;
  /** Headers of every request. */
  headers?: Record<string, string>;
  operations: { readonly [O in CallOperation]?: OperationSpec };
  /** A path that costs nothing to ask and needs the key: the list of models, unless told. */
  probe?: string;
};

/** How one operation is asked for. Without `translate` the upstream speaks the operation's own dialect, and bytes pass as they are. */
export type OperationSpec = {
  /** A path under the base URL, with a query where it needs one. */
  path: string | ((call: Call) => string);
  /** Headers of this operation alone; those of the client that pass through come on top. */
  headers?: Record<string, string>;
  /** Changes a request in its own dialect, e.g. a field that this upstream spells differently. */
  adjust?(body: JsonObject): JsonObject;
  /** Changes a whole reply in its own dialect. */
  repair?(value: JsonObject, call: Call): JsonObject;
  translate?: CallTranslation;
  /** What comes back: JSON (streamed as events), or the bytes of a medium. */
  returns?: "json" | "media";
};

/** An operation in the words of an upstream with a dialect of its own. */
export type CallTranslation = {
  /** The JSON to send; throws Failure("not_supported" | "invalid_request") for what cannot be said there. */
  request(call: Call): unknown;
  reply(value: unknown, call: Call): JsonObject;
  /** Absent where nothing is streamed. */
  stream?(call: Call): StreamTranslator;
  /** How a streamed reply is cut: events (SSE) unless it is one JSON value per line. */
  framing?: "events" | "lines";
};
