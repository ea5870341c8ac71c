import { kinds, type Kind } from "../core/kinds.ts";
import type { Price } from "../core/pricing.ts";
import type { ModelConfig } from "./configuration.ts";

const text: Price = { input_per_million: 100_000_000, output_per_million: 400_000_000 };

const prices: Record<Kind, Price> = {
  video: { per_second: 10_000_000 },
  music: { per_call: 50_000_000 },
  lyrics: { per_call: 5_000_000 },
  image: { per_image: 10_000_000 },
  speech: { per_thousand_characters: 15_000_000 },
  transcription: { per_minute: 6_000_000 },
  completion: text,
  chat: text,
  embedding: { input_per_million: 20_000_000 },
  moderation: {},
  rerank: {},
};

/** The models of a gateway without a configuration file: any name, every kind, served by the built-in provider. */
export const localModels: ModelConfig[] = kinds.map((kind) => ({
  name: "*",
  kinds: [kind],
  routes: [{ provider: "local", model: null, priority: 0, weight: 1 }],
  price: prices[kind],
  maxOutputTokens: null,
}));
