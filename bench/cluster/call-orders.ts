import type { Price } from "./cluster-configuration.ts";

/** One call: who makes it, and how. */
export type CallOrder = {
  n: number;
  customer: number;
  key: number;
  operation: "chat" | "embedding";
  stream: boolean;
  words: number;
  /** Milliseconds between two words of a stream. */
  paceMs: number;
};

export type CallOrderOptions = { count: number; customers: number; keys: number; random: () => number };

/** Chats, half of them streamed, and embeddings. */
export function makeCallOrders({ count, customers, keys, random }: CallOrderOptions): CallOrder[] {
  return Array.from({ length: count }, (_none, n): CallOrder => {
    const operation = random() < 0.7 ? "chat" : "embedding";
    return {
      n,
      customer: Math.floor(random() * customers),
      key: Math.floor(random() * keys),
      operation,
      stream: operation === "chat" && random() < 0.6,
      words: 5 + Math.floor(random() * 60),
      paceMs: Math.floor(random() * 25),
    };
  });
}

/** The name of one try: each asks for a model of its own, so that the gateway counts each by itself. */
export function nameOfTry(seed: number, n: number, turn: number): string {
  return `${seed}-${n}.${turn}`;
}

/** The request of one try. */
export function requestOf({ operation, stream, words, paceMs }: CallOrder, name: string): { path: string; body: object } {
  const text = `call ${name} of rain [lab:tokens=${words}]${stream ? `[lab:pace=${paceMs}]` : ""}`;
  if (operation === "embedding") return { path: "/v1/embeddings", body: { model: `storm-embed-${name}`, input: text } };
  const messages = [{ role: "user", content: text }];
  return { path: "/v1/chat/completions", body: { model: `storm-chat-${name}`, messages, stream, max_tokens: 100 } };
}

/** The try that a prompt or the name of a model belongs to. */
export function tryIn(text: string): string | null {
  return /(?:call |storm-\w+-)(\d+-\d+\.\d+)/.exec(text)?.[1] ?? null;
}

/** What a reply costs. */
export function costOf(tokens: { promptTokens: number; completionTokens: number }, price: Price): number {
  return tokens.promptTokens * price.input + tokens.completionTokens * price.output;
}
