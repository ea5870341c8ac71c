import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import { conversationOf, messageOf } from "./conversation.ts";
import type { Conversation } from "./conversation.ts";
import { say } from "./saying.ts";
import type { Saying } from "./saying.ts";
import { countMessages } from "./tokens.ts";
import type { Tool } from "./tool-call.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallNo, CallRequest, CallUpstream, CallWork, Frame } from "./upstream.ts";

const stopReasons: Record<Saying["finish"], string> = { stop: "end_turn", length: "max_tokens", tool: "tool_use", filter: "refusal" };

const shapes: Record<CallNo, { status: number; type: string }> = {
  auth: { status: 401, type: "authentication_error" },
  invalid: { status: 400, type: "invalid_request_error" },
  quota: { status: 402, type: "billing_error" },
  rate_limit: { status: 429, type: "rate_limit_error" },
  content_policy: { status: 400, type: "invalid_request_error" },
  context: { status: 400, type: "invalid_request_error" },
  missing: { status: 404, type: "not_found_error" },
  down: { status: 500, type: "api_error" },
};

const starts: Partial<Record<CallNo, string>> = {
  content_policy: "Output blocked by content filtering policy. ",
  context: "prompt is too long: 200001 tokens > 200000 maximum. ",
};

/** Anthropic's messages. */
export const anthropic: CallUpstream = {
  name: "anthropic",
  isOpen: false,
  key(request) {
    const key = request.headers["x-api-key"];
    // Newer clients of Anthropic show their key as a bearer token.
    return typeof key === "string" ? key : bearerOf(request);
  },
  read(request) {
    const { method, path } = request;
    if (method === "GET" && path === "/v1/models") return { do: "show", body: models };
    if (method !== "POST") return null;
    if (path === "/v1/messages") return readMessages(request);
    return path === "/v1/messages/count_tokens" ? readCount(request) : null;
  },
  no({ reason, says, status, retrySeconds }) {
    const { status: usual, type } = shapes[reason];
    const code = status ?? usual;
    const error = {
      type: code === 529 ? "overloaded_error" : code === 413 ? "request_too_large" : type,
      message: `${starts[reason] ?? ""}${says}`,
    };
    return {
      status: code,
      body: { type: "error", error, request_id: "req_lab" },
      headers: { "request-id": "req_lab", ...(code >= 429 && retrySeconds !== undefined && limitHeaders(retrySeconds)) },
    };
  },
  error: (says) => event("error", { error: { type: "overloaded_error", message: says } }),
};

const models = {
  data: [{ type: "model", id: "claude-lab", display_name: "Claude Lab", created_at: "2026-01-01T00:00:00Z" }],
  has_more: false,
  first_id: "claude-lab",
  last_id: "claude-lab",
};

function limitHeaders(seconds: number): Record<string, string> {
  const reset = new Date(Date.now() + seconds * 1_000).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    "retry-after": String(seconds),
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-requests-reset": reset,
    "anthropic-ratelimit-tokens-limit": "40000",
    "anthropic-ratelimit-tokens-remaining": "39000",
    "anthropic-ratelimit-tokens-reset": reset,
  };
}

function conversationIn(body: unknown): Conversation {
  const list = fieldOf(body, "messages");
  const system = fieldOf(body, "system");
  const first = system === undefined ? [] : [messageOf({ role: "system", content: system })];
  return conversationOf([...first, ...(Array.isArray(list) ? list.map(messageOf) : [])]);
}

function readMessages({ headers, body }: CallRequest): CallIntent {
  const model = textOf(body, "model");
  const list = fieldOf(body, "messages");
  const max = fieldOf(body, "max_tokens");
  if (headers["anthropic-version"] === undefined) return reject("anthropic-version: header is required");
  if (model === "") return reject("model: Field required");
  if (typeof max !== "number" || max < 1) return reject("max_tokens: Field required");
  if (!Array.isArray(list) || list.length === 0) return reject("messages: at least one message is required");
  if (list.some((message: unknown) => !["user", "assistant"].includes(textOf(message, "role"))))
    return reject('messages: Unexpected role. The Messages API accepts a top-level "system" parameter.');
  const conversation = conversationIn(body);
  const stream = fieldOf(body, "stream") === true;
  const promptTokens = countMessages(conversation.messages);
  return call({
    operation: "messages",
    model,
    prompt: conversation.prompt,
    promptTokens,
    stream,
    answer(work) {
      const tools = conversation.isAnswered ? [] : toolsOf(body);
      const saying = say({ max, stops: fieldOf(body, "stop_sequences"), images: conversation.images, tools }, work.plan);
      const told = { model, promptTokens, saying, work };
      const headersOut = { "request-id": `req_${work.id}` };
      if (stream) return { form: "frames", wire: "sse", frames: framesOf(told), headers: headersOut };
      return jsonReply(messageSaid(told), saying.tokens, headersOut);
    },
  });
}

function readCount({ body }: CallRequest): CallIntent {
  const { messages, prompt } = conversationIn(body);
  const promptTokens = countMessages(messages);
  const answer = () => jsonReply({ input_tokens: promptTokens });
  return call({ operation: "count-tokens", model: textOf(body, "model"), prompt, promptTokens, stream: false, answer });
}

function toolsOf(body: unknown): Tool[] {
  const list = fieldOf(body, "tools");
  return Array.isArray(list) ? list.map((tool: unknown) => ({ name: textOf(tool, "name"), schema: fieldOf(tool, "input_schema") })) : [];
}

type Told = { model: string; promptTokens: number; saying: Saying; work: CallWork };

function usageOf({ promptTokens, work }: Told, outputTokens: number) {
  if (work.plan.usage === "never") return {};
  const cache = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return { usage: { input_tokens: promptTokens, ...cache, output_tokens: outputTokens, service_tier: "standard" } };
}

function stopOf({ saying: { finish, stopped } }: Told) {
  return { stop_reason: stopped === null ? stopReasons[finish] : "stop_sequence", stop_sequence: stopped };
}

function messageSaid(told: Told) {
  const { model, saying, work } = told;
  const { tool } = saying;
  const block = tool
    ? { type: "tool_use", id: `toolu_${work.id}`, name: tool.name, input: tool.input }
    : { type: "text", text: saying.text() };
  const head = { id: `msg_${work.id}`, type: "message", role: "assistant", model };
  return { ...head, content: [block], ...stopOf(told), ...usageOf(told, saying.tokens) };
}

function event(type: string, fields: object, words = 0): Frame {
  return { event: type, data: JSON.stringify({ type, ...fields }), words };
}

function* framesOf(told: Told): Generator<Frame> {
  const { model, saying, work } = told;
  const { tool } = saying;
  const head = { id: `msg_${work.id}`, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
  yield event("message_start", { message: { ...head, ...usageOf(told, 1) } });
  const block = tool ? { type: "tool_use", id: `toolu_${work.id}`, name: tool.name, input: {} } : { type: "text", text: "" };
  yield event("content_block_start", { index: 0, content_block: block }, tool?.nameTokens ?? 0);
  yield event("ping", {});
  if (tool) yield event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: "" } });
  for (const fragment of tool?.fragments ?? [])
    yield event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: fragment } }, 1);
  for (let at = 0; at < saying.words; at++)
    yield event("content_block_delta", { index: 0, delta: { type: "text_delta", text: saying.word(at) } }, 1);
  yield event("content_block_stop", { index: 0 });
  const usage = work.plan.usage === "never" ? {} : { usage: { output_tokens: saying.tokens } };
  yield event("message_delta", { delta: stopOf(told), ...usage });
  yield event("message_stop", {});
}
