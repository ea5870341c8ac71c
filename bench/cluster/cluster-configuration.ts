import { parse, stringify } from "yaml";
import type { Lab } from "../../lab/lab.ts";
import { configurationOf, type Offer } from "../soak/offers.ts";

/** Nano-USD for a token. */
export type Price = { input: number; output: number };

export const callPrices: Record<"chat" | "embedding", Price> = { chat: { input: 150, output: 600 }, embedding: { input: 20, output: 0 } };

export type ConfigurationNeeds = { lab: Pick<Lab, "baseUrl">; offers: readonly Offer[]; publicUrl: string; mediaUrl: string };

/** One file for all nodes: every upstream of the lab, calls whose models have any name, and what the nodes share. */
export function clusterConfiguration({ lab, offers, publicUrl, mediaUrl }: ConfigurationNeeds): string {
  const { providers, models, ...rest } = parse(configurationOf(lab, offers)) as Record<"providers" | "models", object>;
  const talk = { type: "openai-compatible", base_url: lab.baseUrl("openai/v1"), keys: ["lab-key"], allow_private_network: true };
  const perMillion = ({ input, output }: Price) => ({
    input_per_million: input / 1_000,
    ...(output > 0 && { output_per_million: output / 1_000 }),
  });
  const calls = {
    "storm-chat-*": { kinds: ["chat"], routes: [{ provider: "talk", model: "lab-chat" }], price: perMillion(callPrices.chat) },
    "storm-embed-*": { kinds: ["embedding"], routes: [{ provider: "talk", model: "lab-embed" }], price: perMillion(callPrices.embedding) },
  };
  return stringify({
    ...rest,
    providers: { ...providers, talk },
    models: { ...models, ...calls },
    server: { public_url: publicUrl, trust_proxy: true },
    store: { url: "${DATABASE_URL}" },
    redis_url: "${REDIS_URL}",
    media: { url: mediaUrl },
  });
}
