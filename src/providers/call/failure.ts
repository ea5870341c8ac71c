import type { FailureClass, Refusal } from "../../core/refusal.ts";
import { classify, describe, readError, refuse } from "../job/failure.ts";
import type { Errors } from "../job/spec.ts";
import { readText } from "../job/path.ts";
import { readRetryAfter } from "../upstream/retry-after.ts";
import { redact } from "../upstream/upstream.ts";

/** How upstreams of calls word their errors: OpenAI's, Anthropic's, Google's, Ollama's and ElevenLabs' shapes together. */
const errors: Errors = {
  code: ["error.status", "error.code", "error.type", "detail.status", "code", "type"],
  message: ["error.message", "detail.message", "message", "detail", "error"],
  codes: {
    400: "invalid",
    401: "auth",
    402: "quota",
    404: "not_found",
    413: "invalid",
    429: "rate_limit",
    insufficient_quota: "quota",
    exceeded_current_quota_error: "quota",
    billing_error: "quota",
    billing_hard_limit_reached: "quota",
    quota_exceeded: "quota",
    Arrearage: "quota",
    AccountOverdueError: "quota",
    // Zhipu's numbers for an empty account and for content it does not allow.
    1113: "quota",
    1301: "content_policy",
    content_policy_violation: "content_policy",
    content_filter: "content_policy",
    moderation_blocked: "content_policy",
    data_inspection_failed: "content_policy",
    DataInspectionFailed: "content_policy",
    ResponsibleAIPolicyViolation: "content_policy",
    "InputTextSensitiveContentDetected*": "content_policy",
    "InputImageSensitiveContentDetected*": "content_policy",
    "OutputTextSensitiveContentDetected*": "content_policy",
    "OutputImageSensitiveContentDetected*": "content_policy",
    model_not_found: "not_found",
    not_found_error: "not_found",
    DeploymentNotFound: "not_found",
    context_length_exceeded: "invalid",
    exceed_context_size_error: "invalid",
    request_too_large: "invalid",
    voice_not_found: "invalid",
    overloaded_error: "transient",
    unavailable_error: "transient",
    invalid_api_key: "auth",
    authentication_error: "auth",
    permission_error: "auth",
    rate_limit_error: "rate_limit",
    rate_limit_exceeded: "rate_limit",
    too_many_concurrent_requests: "rate_limit",
    RESOURCE_EXHAUSTED: "rate_limit",
    INVALID_ARGUMENT: "invalid",
    UNAUTHENTICATED: "auth",
    PERMISSION_DENIED: "auth",
    NOT_FOUND: "not_found",
    system_busy: "transient",
  },
  texts: [
    ["API key not valid|incorrect api key|invalid api key", "auth"],
    ["content (management |filtering )?policy|safety system|content exists risk|was flagged", "content_policy"],
    ["exceeded your current quota|credit balance is too low|insufficient balance", "quota"],
    ["location is not supported|does not support (tools|thinking|chat|generate|insert|embedding)", "unsupported"],
  ],
};

/** A no of an upstream as a refusal; only what a wrong request is told about itself reaches the client. */
export function refusalOf(
  { status, headers, body, text }: { status: number; headers: Record<string, string>; body: unknown; text: string },
  secret: string,
): Refusal {
  const failure: FailureClass = classify(errors, body, status) ?? "transient";
  const refusal = refuse(failure, describe(errors, body, secret, { status, text }), readRetryAfter(headers, body));
  if (failure !== "invalid") return refusal;
  const { message } = readError(errors, body);
  const param = readText(body, "error.param");
  return {
    ...refusal,
    ...(message !== undefined && { says: discreet(message, secret) }),
    ...(param !== undefined && param.length <= 200 && { param }),
  };
}

/** What an error inside a reply that had begun means. */
export function refusalInside(body: unknown, secret: string): Refusal {
  return refuse(classify(errors, body, undefined) ?? "transient", describe(errors, body, secret));
}

/** A sentence of an upstream without addresses, keys, accounts and its own name; the names of fields and models stay. */
export function discreet(message: string, secret: string): string {
  let clean = redact(message, secret);
  for (const [pattern, instead] of indiscretions) clean = clean.replaceAll(pattern, instead);
  return clean.slice(0, 500).trim();
}

const upstreams = [
  "OpenAI|Anthropic|Google|Groq|Mistral AI|DeepSeek|Together AI|Fireworks AI|OpenRouter|xAI|Perplexity|Cerebras|SambaNova|NVIDIA|Moonshot",
  "Zhipu|DashScope|Alibaba Cloud|SiliconFlow|MiniMax|Volcengine|Hyperbolic|DeepInfra|Novita|Cohere|Jina AI|Voyage AI|ElevenLabs|Azure",
  "Ollama|llama\\.cpp|vLLM|LM Studio|GitHub|Hugging ?Face",
].join("|");

const indiscretions: readonly [RegExp, string][] = [
  [/https?:\/\/[^\s"'<>)]+/gi, "(address)"],
  [/\b[\w.+-]+@[\w-]+(\.[\w-]+)+\b/g, "(address)"],
  [/\b(?:[a-z0-9-]+\.)+(?:com|ai|io|net|org|dev|cloud|cn|co|xyz|sh|local|internal|svc)\b(?::\d+)?/gi, "(address)"],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b|\blocalhost(?::\d+)?\b/g, "(address)"],
  // Names of fields may begin like these, but have neither digits nor stars.
  [/\b(?:sk|pk|org|proj|req|key|gsk|xai|nvapi|hf)[-_](?=[\w-]*[\d*])[\w*-]{6,}/gi, "***"],
  [/\bAIza[\w-]{10,}/g, "***"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "***"],
  [/\bprojects?\/[\w-]+/g, "projects/***"],
  [/\*{4,}/g, "***"],
  // Not where it is part of a model's or a type's name.
  [new RegExp(`(?<![-/\\w])(?:${upstreams})(?![-/\\w])`, "g"), "the provider"],
];
