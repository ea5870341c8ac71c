import type { JsonObject } from "../../core/call.ts";
import { objectsOf, textOf } from "../../dialects/json-reading.ts";

export type LegacyLogprobs = {
  tokens: string[];
  token_logprobs: (number | null)[];
  /** Null where the upstream names no alternatives. */
  top_logprobs: JsonObject[] | null;
  text_offset: number[];
};

/** The likelihoods of tokens as text completions have them, made of the list that chat completions have. `from` is where the first one begins. */
export function legacyLogprobs(content: readonly JsonObject[], from: number): LegacyLogprobs {
  const tokens = content.map(({ token }) => textOf(token));
  const tops = content.map(({ top_logprobs: top }) =>
    Object.fromEntries(objectsOf(top).map(({ token, logprob }) => [textOf(token), logprob])),
  );
  let at = from;
  return {
    tokens,
    token_logprobs: content.map(({ logprob }) => (typeof logprob === "number" ? logprob : null)),
    top_logprobs: tops.some((top) => Object.keys(top).length > 0) ? tops : null,
    text_offset: tokens.map((token) => {
      const offset = at;
      at += characters(token);
      return offset;
    }),
  };
}

/** The length of a text as servers of this dialect count it. */
export function characters(text: string): number {
  return Array.from(text).length;
}
