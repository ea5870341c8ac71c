import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { elevenlabs } from "./elevenlabs.ts";
import { gemini } from "./gemini.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import type { CallUpstream } from "./upstream.ts";

/** Every upstream that answers at once, by its name. */
export const callUpstreams: ReadonlyMap<string, CallUpstream> = new Map(
  [openai, azure, anthropic, gemini, ollama, elevenlabs].map((upstream) => [upstream.name, upstream]),
);
