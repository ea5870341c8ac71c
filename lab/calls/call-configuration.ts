import type { Lab } from "../lab.ts";

const providers: readonly { name: string; type: string; path: string; hasKey: boolean }[] = [
  { name: "openai", type: "openai-compatible", path: "openai/v1", hasKey: true },
  { name: "azure", type: "azure-openai", path: "azure", hasKey: true },
  { name: "anthropic", type: "anthropic", path: "anthropic/v1", hasKey: true },
  { name: "gemini", type: "gemini", path: "gemini/v1beta", hasKey: true },
  { name: "ollama", type: "ollama", path: "ollama", hasKey: false },
  { name: "elevenlabs", type: "elevenlabs", path: "elevenlabs/v1", hasKey: true },
];

const text = "input_per_million: 0.15, output_per_million: 0.60";
const read = "input_per_million: 0.02";

const models: readonly { name: string; kinds: string; provider: string; price: string }[] = [
  { name: "lab-chat", kinds: "chat, completion", provider: "openai", price: text },
  { name: "lab-embed", kinds: "embedding", provider: "openai", price: read },
  { name: "lab-image", kinds: "image", provider: "openai", price: "per_image: 0.04" },
  { name: "lab-speech", kinds: "speech", provider: "openai", price: "per_thousand_characters: 0.015" },
  { name: "lab-transcription", kinds: "transcription", provider: "openai", price: "per_minute: 0.006" },
  { name: "lab-moderation", kinds: "moderation", provider: "openai", price: read },
  { name: "lab-rerank", kinds: "rerank", provider: "openai", price: read },
  { name: "azure-lab", kinds: "chat, completion", provider: "azure", price: text },
  { name: "claude-lab", kinds: "chat", provider: "anthropic", price: text },
  { name: "gemini-lab", kinds: "chat", provider: "gemini", price: text },
  { name: "gemini-embed", kinds: "embedding", provider: "gemini", price: read },
  { name: "ollama-lab", kinds: "chat, completion, embedding", provider: "ollama", price: text },
  { name: "eleven-lab", kinds: "speech", provider: "elevenlabs", price: "per_thousand_characters: 0.10" },
];

/** The lines of a configuration file for the upstreams that answer at once, without the words `providers:` and `models:`. */
export function callEntries(lab: Pick<Lab, "baseUrl">, key: string): { providers: string[]; models: string[] } {
  return {
    providers: providers.map(({ name, type, path, hasKey }) => {
      const keys = hasKey ? `, keys: ["${key}"]` : "";
      return `  ${name}: { type: ${type}, base_url: "${lab.baseUrl(path)}"${keys}, allow_private_network: true }`;
    }),
    models: models.map(
      ({ name, kinds, provider, price }) => `  "${name}": { kinds: [${kinds}], routes: [{ provider: ${provider} }], price: { ${price} } }`,
    ),
  };
}
