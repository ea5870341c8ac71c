/** The likelihoods of tokens as the two text dialects tell them. */
import type { JsonObject } from "../../core/call.ts";
import type { TokenChance } from "../../engines/job.ts";
import { characters } from "../call/legacy-logprobs.ts";

/** As chats tell them. */
export function chatLogprobs(tokens: readonly TokenChance[] | undefined): JsonObject | null {
  if (tokens === undefined) return null;
  const entry = ({ text, bytes, logprob }: Pick<TokenChance, "text" | "bytes" | "logprob">): JsonObject => ({
    token: text,
    logprob,
    bytes,
  });
  return { content: tokens.map((token) => ({ ...entry(token), top_logprobs: token.top.map(entry) })), refusal: null };
}

/** As completions tell them, part by part of one choice: offsets count from the beginning of the text. */
export class CompletionLogprobs {
  // A token may be half a character: where it stands follows from the bytes before it, not from how it is shown.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #at = 0;

  tell(tokens: readonly TokenChance[] | undefined): JsonObject | null {
    if (tokens === undefined || tokens.length === 0) return null;
    return {
      tokens: tokens.map(({ text }) => text),
      token_logprobs: tokens.map(({ logprob }) => logprob),
      top_logprobs: tokens.some(({ top }) => top.length > 0) ? tokens.map(likeliest) : null,
      text_offset: tokens.map((token) => this.#pass(token)),
    };
  }

  #pass({ bytes }: TokenChance): number {
    const offset = this.#at;
    this.#at += characters(this.#decoder.decode(Uint8Array.from(bytes), { stream: true }));
    return offset;
  }
}

/** The alternatives, and the token itself where it is none of them; null where nothing came before to judge by. */
function likeliest({ text, logprob, top }: TokenChance): JsonObject | null {
  if (logprob === null) return null;
  const found = new Map<string, number>();
  for (const one of [...top, { text, logprob }]) if (!found.has(one.text)) found.set(one.text, one.logprob);
  return Object.fromEntries(found);
}
