import { plainWords } from "./words.ts";

/** How sure the lab is of the token at a place: never quite the same twice in a row. */
export function logprobAt(index: number): number {
  return -0.05 - (index % 7) / 10;
}

/** Other tokens that might have stood there, the chosen one first. */
export function rivalsAt(index: number, chosen: string, count: number): { token: string; logprob: number }[] {
  const others = plainWords.filter((word) => word !== chosen).slice(0, Math.max(count - 1, 0));
  const all = [chosen, ...others].map((token, place) => ({ token, logprob: logprobAt(index) - place }));
  return all.slice(0, count);
}

/** A token in the shape of chats. */
export function chatLogprob(index: number, token: string, top: number) {
  const shaped = (one: { token: string; logprob: number }) => ({ ...one, bytes: [...Buffer.from(one.token)] });
  return { ...shaped({ token, logprob: logprobAt(index) }), top_logprobs: rivalsAt(index, token, top).map(shaped) };
}

/** Tokens in the shape of text completions; the first of an echo has no probability. */
export function legacyLogprobs(tokens: readonly string[], options: { from: number; offset: number; top: number; isEcho: boolean }) {
  const { from, offset, top, isEcho } = options;
  let at = offset;
  const isUnknown = (index: number) => isEcho && from + index === 0;
  return {
    tokens,
    token_logprobs: tokens.map((_, index) => (isUnknown(index) ? null : logprobAt(from + index))),
    top_logprobs:
      top === 0
        ? null
        : tokens.map((token, index) =>
            isUnknown(index) ? null : Object.fromEntries(rivalsAt(from + index, token, top).map((one) => [one.token, one.logprob])),
          ),
    text_offset: tokens.map((token) => (at += token.length) - token.length),
  };
}
