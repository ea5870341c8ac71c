import type { Adapter } from "../core/provider.ts";
import { anthropic } from "./anthropic.ts";
import { azureOpenAi } from "./azure-openai.ts";
import { elevenLabs } from "./elevenlabs.ts";
import { gemini } from "./gemini/gemini.ts";
import { llamaCpp } from "./llama-cpp.ts";
import { ollama } from "./ollama/ollama.ts";
import { openAiCompatible } from "./openai-compatible.ts";
import { openAiVendorAdapters } from "./openai-vendors.ts";
import { mediaAdapters } from "./media/index.ts";
import { vllm } from "./vllm.ts";

/** Every adapter that a configuration may name as a provider's `type`. */
export const adapters: readonly Adapter[] = [
  anthropic,
  azureOpenAi,
  elevenLabs,
  gemini,
  llamaCpp,
  ollama,
  openAiCompatible,
  ...openAiVendorAdapters,
  ...mediaAdapters,
  vllm,
];
