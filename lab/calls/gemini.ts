import { fieldOf } from "../dialect.ts";
import { readEmbedContent, readBatchEmbed } from "./gemini-embedding.ts";
import { readCount, readGenerate } from "./gemini-generate.ts";
import type { CallNo, CallRefusal, CallUpstream } from "./upstream.ts";

const shapes: Record<CallNo, number> = {
  // A key that is not one is a bad argument to Google.
  auth: 400,
  invalid: 400,
  quota: 429,
  rate_limit: 429,
  content_policy: 400,
  context: 400,
  missing: 404,
  down: 500,
};

const words: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const models = ["gemini-lab", "gemini-embed"].map((id) => ({
  name: `models/${id}`,
  version: "001",
  displayName: id,
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 262_144,
  supportedGenerationMethods: id === "gemini-lab" ? ["generateContent", "countTokens"] : ["embedContent"],
}));

/** Google's Gemini. */
export const gemini: CallUpstream = {
  name: "gemini",
  isOpen: false,
  key({ headers, query }) {
    const key = headers["x-goog-api-key"];
    return typeof key === "string" ? key : query.get("key");
  },
  read(request) {
    const { method, path } = request;
    if (method === "GET" && path === "/v1beta/models") return { do: "show", body: { models } };
    const [, model, verb] = /^\/v1beta\/models\/([^/:]+):(\w+)$/.exec(path) ?? [];
    if (method !== "POST" || model === undefined) return null;
    if (verb === "generateContent") return readGenerate(request, model, false);
    if (verb === "streamGenerateContent") return readGenerate(request, model, true);
    if (verb === "countTokens") return readCount(request, model);
    if (verb === "embedContent") return readEmbedContent(request, model);
    return verb === "batchEmbedContents" ? readBatchEmbed(request, model) : null;
  },
  no(refusal, { body }) {
    // A blocked prompt is no error to Google: the reply just has nothing in it.
    if (refusal.reason === "content_policy" && fieldOf(body, "contents") !== undefined) {
      const promptFeedback = { blockReason: "PROHIBITED_CONTENT", blockReasonMessage: refusal.says, safetyRatings: [] };
      return { status: 200, body: { promptFeedback, usageMetadata: { promptTokenCount: 0, totalTokenCount: 0 }, modelVersion: "lab" } };
    }
    return errorOf(refusal);
  },
  error: (says) => ({ data: JSON.stringify({ error: { code: 503, message: says, status: "UNAVAILABLE" } }), words: 0 }),
};

function errorOf({ reason, says, status, retrySeconds }: CallRefusal) {
  const code = status ?? shapes[reason];
  const hint = code >= 429 ? retrySeconds : undefined;
  const details = [
    ...(reason === "auth"
      ? [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID", domain: "googleapis.com" }]
      : []),
    ...(hint === undefined ? [] : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${hint}s` }]),
    ...(reason === "quota" ? [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId: "PerDay" }] }] : []),
  ];
  return {
    status: code,
    body: { error: { code, message: says, status: words[code] ?? "UNKNOWN", details } },
    ...(hint !== undefined && { headers: { "retry-after": String(hint) } }),
  };
}
