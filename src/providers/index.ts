import type { Adapter } from "../core/provider.ts";
import { anthropic } from "./anthropic.ts";
import { azureOpenAi } from "./azure-openai.ts";
import { elevenLabs } from "./elevenlabs.ts";
import { gemini } from "./gemini/gemini.ts";
import { llamaCpp } from "./llama-cpp.ts";
import type { JobAdapter } from "./job/job.ts";
import { ark } from "./media/ark.ts";
import { elevenLabsMusic } from "./media/elevenlabs-music.ts";
import { geminiMedia } from "./media/gemini-media.ts";
import { mediaAdapters } from "./media/index.ts";
import { xaiVideo } from "./media/xai-video.ts";
import { ollama } from "./ollama/ollama.ts";
import { openAiCompatible } from "./openai-compatible.ts";
import { openAiVendorAdapters } from "./openai-vendors.ts";
import { vllm } from "./vllm.ts";

/** Upstreams that answer calls and take jobs with one account: one type for both. */
const jobsOf: Readonly<Record<string, JobAdapter>> = {
  elevenlabs: elevenLabsMusic,
  gemini: geminiMedia,
  "volcengine-ark": ark,
  xai: xaiVideo,
};

const callAdapters: readonly Adapter[] = [
  anthropic,
  azureOpenAi,
  elevenLabs,
  gemini,
  llamaCpp,
  ollama,
  openAiCompatible,
  ...openAiVendorAdapters,
  vllm,
];

/** Every adapter that a configuration may name as a provider's `type`. */
export const adapters: readonly Adapter[] = [...callAdapters.map(withJobs), ...mediaAdapters];

/** Those of them that take jobs, each under the name of its `type`. */
export const jobAdapters: readonly JobAdapter[] = [...Object.entries(jobsOf).map(([type, jobs]) => ({ ...jobs, type })), ...mediaAdapters];

function withJobs(adapter: Adapter): Adapter {
  const jobs = jobsOf[adapter.type];
  if (jobs === undefined) return adapter;
  const { about } = jobs;
  return { ...adapter, ...(about && { about }), create: (settings) => ({ ...jobs.create(settings), ...adapter.create(settings) }) };
}
