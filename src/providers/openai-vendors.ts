import type { JsonObject } from "../core/call.ts";
import { objectOf, objectsOf, present } from "../dialects/json-reading.ts";
import type { FieldQuirk } from "./call/field-quirk.ts";
import { createOpenAiAdapter, type OpenAiVendor } from "./openai-compatible.ts";

/** A ceiling under the newer name would be passed over in silence, and the reply cost more than was set aside for it. */
const oldCeiling: { chat: FieldQuirk } = { chat: { rename: { max_completion_tokens: "max_tokens" } } };

/** Upstreams of OpenAI's dialect, one entry each: the operations are those that their documentation names. */
export const openAiVendors: readonly OpenAiVendor[] = [
  {
    type: "openai",
    baseUrl: "https://api.openai.com/v1",
    offers: [
      "completion",
      "chat",
      "responses",
      "embedding",
      "moderation",
      "image",
      "image-edit",
      "image-variation",
      "speech",
      "transcription",
      "translation",
    ],
  },
  { type: "groq", baseUrl: "https://api.groq.com/openai/v1", offers: ["chat", "speech", "transcription", "translation"] },
  {
    type: "mistral",
    baseUrl: "https://api.mistral.ai/v1",
    offers: ["chat", "embedding", "moderation", "transcription"],
    quirks: {
      // It answers 422 to any field that it does not know, and counts tokens in every stream.
      chat: {
        rename: { max_completion_tokens: "max_tokens", seed: "random_seed" },
        drop: ["stream_options", "user", "store", "metadata", "service_tier", "prompt_cache_key", "safety_identifier"],
      },
      embedding: { rename: { dimensions: "output_dimension" }, drop: ["user"] },
    },
    changes: { moderation: { repair: flagged } },
  },
  {
    type: "deepseek",
    baseUrl: "https://api.deepseek.com",
    offers: ["chat", "completion"],
    quirks: oldCeiling,
    changes: { completion: { path: "/beta/completions" } },
  },
  {
    type: "together",
    baseUrl: "https://api.together.xyz/v1",
    offers: ["chat", "completion", "embedding", "rerank", "image", "speech", "transcription", "translation"],
    quirks: oldCeiling,
  },
  { type: "fireworks", baseUrl: "https://api.fireworks.ai/inference/v1", offers: ["chat", "completion", "embedding"] },
  { type: "openrouter", baseUrl: "https://openrouter.ai/api/v1", offers: ["chat", "completion", "embedding"] },
  { type: "xai", baseUrl: "https://api.x.ai/v1", offers: ["chat", "image"] },
  { type: "perplexity", baseUrl: "https://api.perplexity.ai", offers: ["chat"], quirks: oldCeiling },
  { type: "cerebras", baseUrl: "https://api.cerebras.ai/v1", offers: ["chat", "completion"] },
  {
    type: "sambanova",
    baseUrl: "https://api.sambanova.ai/v1",
    offers: ["chat", "embedding", "transcription", "translation"],
    quirks: oldCeiling,
  },
  { type: "nvidia", baseUrl: "https://integrate.api.nvidia.com/v1", offers: ["chat", "completion", "embedding"], quirks: oldCeiling },
  { type: "moonshot", baseUrl: "https://api.moonshot.ai/v1", offers: ["chat"] },
  { type: "zhipu", baseUrl: "https://open.bigmodel.cn/api/paas/v4", offers: ["chat", "embedding", "image"], quirks: oldCeiling },
  {
    type: "dashscope",
    baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    offers: ["chat", "completion", "embedding"],
    quirks: oldCeiling,
  },
  {
    type: "siliconflow",
    baseUrl: "https://api.siliconflow.cn/v1",
    offers: ["chat", "embedding", "rerank", "speech", "transcription"],
    quirks: oldCeiling,
  },
  { type: "minimax", baseUrl: "https://api.minimax.io/v1", offers: ["chat"] },
  { type: "volcengine-ark", baseUrl: "https://ark.cn-beijing.volces.com/api/v3", offers: ["chat", "embedding", "image"] },
  { type: "hyperbolic", baseUrl: "https://api.hyperbolic.xyz/v1", offers: ["chat", "completion"], quirks: oldCeiling },
  {
    type: "deepinfra",
    baseUrl: "https://api.deepinfra.com/v1/openai",
    offers: ["chat", "completion", "embedding", "image", "speech", "transcription", "translation"],
    quirks: oldCeiling,
  },
  { type: "novita", baseUrl: "https://api.novita.ai/openai/v1", offers: ["chat", "completion", "embedding"], quirks: oldCeiling },
  { type: "cohere", baseUrl: "https://api.cohere.ai/compatibility/v1", offers: ["chat", "embedding"], quirks: oldCeiling },
  {
    type: "jina",
    baseUrl: "https://api.jina.ai/v1",
    offers: ["embedding", "rerank"],
    quirks: { embedding: { rename: { encoding_format: "embedding_type" } } },
  },
  {
    type: "voyage",
    baseUrl: "https://api.voyageai.com/v1",
    offers: ["embedding", "rerank"],
    quirks: {
      embedding: { rename: { dimensions: "output_dimension" }, drop: ["user", { field: "encoding_format", value: "float" }] },
      rerank: { rename: { top_n: "top_k" } },
    },
    changes: { embedding: { repair: promptCounted }, rerank: { repair: resultsNamed } },
  },
  { type: "github-models", baseUrl: "https://models.github.ai/inference", offers: ["chat", "embedding"] },
  { type: "hugging-face", baseUrl: "https://router.huggingface.co/v1", offers: ["chat"], quirks: oldCeiling },
  {
    type: "lmstudio",
    baseUrl: "http://127.0.0.1:1234/v1",
    keyOptional: true,
    offers: ["chat", "completion", "embedding"],
    quirks: oldCeiling,
  },
];

export const openAiVendorAdapters = openAiVendors.map(createOpenAiAdapter);

// Its results name the categories, and leave the conclusion to the reader.
function flagged(value: JsonObject): JsonObject {
  const results = objectsOf(value.results).map((result) => ({
    flagged: Object.values(objectOf(result.categories)).includes(true),
    ...result,
  }));
  return { ...value, results };
}

function promptCounted(value: JsonObject): JsonObject {
  const usage = objectOf(value.usage);
  return { ...value, usage: { prompt_tokens: usage.total_tokens, ...usage } };
}

function resultsNamed({ data, ...rest }: JsonObject): JsonObject {
  const results = objectsOf(data).map(({ document, ...result }) =>
    present({ ...result, document: typeof document === "string" ? { text: document } : document }),
  );
  return { ...rest, results };
}
