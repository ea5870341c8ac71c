import { bearerOf } from "../dialect.ts";
import { readChat } from "./openai-chat.ts";
import { readCompletion } from "./openai-completion.ts";
import { readEmbedding } from "./openai-embedding.ts";
import { readImage } from "./openai-image.ts";
import { readModeration, readRerank } from "./openai-judgement.ts";
import { readResponses } from "./openai-responses.ts";
import { readSpeech } from "./openai-speech.ts";
import { readTranscription } from "./openai-transcription.ts";
import type { CallIntent, CallNo, CallOrder, CallRefusal, CallRequest, CallUpstream, Frame } from "./upstream.ts";

const readers: Record<string, (request: CallRequest) => CallIntent> = {
  "/completions": readCompletion,
  "/chat/completions": readChat,
  "/responses": readResponses,
  "/embeddings": readEmbedding,
  "/moderations": readModeration,
  "/rerank": readRerank,
  "/images/generations": readImage("image"),
  "/images/edits": readImage("image-edit"),
  "/images/variations": readImage("image-variation"),
  "/audio/speech": readSpeech,
  "/audio/transcriptions": readTranscription("transcription"),
  "/audio/translations": readTranscription("translation"),
};

const models = ["lab-chat", "lab-embed", "lab-image", "lab-speech", "lab-transcription", "lab-moderation", "lab-rerank"];

/** What a request to `/v1…` asks for. */
export function readOpenai(request: CallRequest, path: string): CallIntent | null {
  const { method } = request;
  if (method === "GET" && path === "/models") return { do: "show", body: { object: "list", data: models.map(modelOf) } };
  const id = /^\/models\/([^/]+)$/.exec(path)?.[1];
  if (method === "GET" && id !== undefined && models.includes(id)) return { do: "show", body: modelOf(id) };
  return method === "POST" ? (readers[path]?.(request) ?? null) : null;
}

function modelOf(id: string) {
  return { id, object: "model", created: 1_700_000_000, owned_by: "lab" };
}

const shapes: Record<CallNo, { status: number; type: string; code: string | null; param?: string }> = {
  auth: { status: 401, type: "invalid_request_error", code: "invalid_api_key" },
  invalid: { status: 400, type: "invalid_request_error", code: null },
  quota: { status: 429, type: "insufficient_quota", code: "insufficient_quota" },
  rate_limit: { status: 429, type: "requests", code: "rate_limit_exceeded" },
  content_policy: { status: 400, type: "invalid_request_error", code: "content_policy_violation" },
  context: { status: 400, type: "invalid_request_error", code: "context_length_exceeded", param: "messages" },
  missing: { status: 404, type: "invalid_request_error", code: "model_not_found" },
  down: { status: 500, type: "server_error", code: null },
};

/** A no in OpenAI's shape. */
export function openaiNo({ reason, says, status, retrySeconds }: CallRefusal) {
  const { status: usual, type, code, param = null } = shapes[reason];
  return {
    status: status ?? usual,
    body: { error: { message: says, type, param, code } },
    headers: { "x-request-id": "req_lab", ...(retrySeconds !== undefined && reason !== "invalid" && limitHeaders(reason, retrySeconds)) },
  };
}

function limitHeaders(reason: CallNo, seconds: number): Record<string, string> {
  const hint = { "retry-after": String(seconds) };
  if (reason === "down") return hint;
  if (reason !== "rate_limit") return {};
  return {
    ...hint,
    "retry-after-ms": String(seconds * 1_000),
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": `${seconds}s`,
    "x-ratelimit-limit-tokens": "150000",
    "x-ratelimit-remaining-tokens": "149984",
    "x-ratelimit-reset-tokens": "6ms",
  };
}

/** An error after the reply began. */
export function openaiError(says: string, { operation }: CallOrder): Frame {
  if (operation === "responses") {
    const error = { type: "error", sequence_number: 99, code: "server_error", message: says, param: null };
    return { event: "error", data: JSON.stringify(error), words: 0 };
  }
  return { data: JSON.stringify({ error: { message: says, type: "server_error", param: null, code: null } }), words: 0 };
}

/** OpenAI's own address, and that of everyone who speaks like it. */
export const openai: CallUpstream = {
  name: "openai",
  isOpen: false,
  key: bearerOf,
  read: (request) => (request.path.startsWith("/v1/") ? readOpenai(request, request.path.slice(3)) : null),
  no: openaiNo,
  error: openaiError,
};
