import { createOpenAiAdapter, openAiPaths } from "./openai-compatible.ts";
import { pathWithout } from "./call/unsupported-field.ts";

/** A vLLM server; what it knows beyond the dialect passes in both directions as it is. */
export const vllm = createOpenAiAdapter({
  type: "vllm",
  baseUrl: "http://127.0.0.1:8000/v1",
  keyOptional: true,
  offers: ["chat", "completion", "embedding", "rerank", "transcription", "translation"],
  changes: { completion: { path: pathWithout(openAiPaths.completion, ["best_of", "suffix"]) } },
});
