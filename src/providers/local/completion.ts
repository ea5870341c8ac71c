import type { Call, JsonObject } from "../../core/call.ts";
import { invalid, textIn } from "../../dialects/request-fields.ts";
import { wholeWithin } from "./fields.ts";
import { CompletionLogprobs } from "./logprobs.ts";
import { mostTokens, samplingIn, type TextWish } from "./sampling.ts";
import type { TextDialect } from "./text.ts";

/** The length of a completion that names none, as the dialect has it. */
const usualTokens = 16;

/** Text that goes on from prompts. */
export const completionDialect: TextDialect = {
  idPrefix: "cmpl-",
  object: { whole: "text_completion", chunk: "text_completion" },
  read,
  choice: (index, { text, finish, tokens }) => ({
    text,
    index,
    logprobs: new CompletionLogprobs().tell(tokens),
    finish_reason: finish,
  }),
  grow(index) {
    const logprobs = new CompletionLogprobs();
    return {
      opening: null,
      more: ({ text, tokens }) => ({ text, index, logprobs: logprobs.tell(tokens), finish_reason: null }),
      ending: (finish) => ({ text: "", index, logprobs: null, finish_reason: finish }),
    };
  },
};

function read({ body, stream }: Call): TextWish {
  const sampling = samplingIn(body);
  const { choices } = sampling;
  const bestOf = wholeWithin(body, "best_of", [1, 128], choices);
  if (bestOf < choices) throw invalid("best_of", "'best_of' must not be less than 'n'.");
  if (bestOf > choices && stream) throw invalid("best_of", "The best of several texts cannot be streamed.");
  const suffix = textIn(body, "suffix");
  return {
    ...sampling,
    ask: { prompts: promptsIn(body), ...(suffix !== undefined && { suffix }) },
    bestOf,
    maxTokens: wholeWithin(body, "max_tokens", [0, mostTokens], usualTokens),
    alternatives: wholeWithin(body, "logprobs", [0, 5], null),
    echo: body.echo === true,
  };
}

function promptsIn({ prompt }: JsonObject): (string | number[])[] {
  const given: unknown = prompt ?? "";
  if (typeof given === "string") return [given];
  const wrong = invalid("prompt", "'prompt' must be a text, several texts, tokens, or several lists of tokens.");
  if (!Array.isArray(given) || given.length === 0) throw wrong;
  if (isTokens(given)) return [given];
  return given.map((one: unknown) => {
    if (typeof one === "string" || isTokens(one)) return one;
    throw wrong;
  });
}

function isTokens(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((token) => Number.isInteger(token) && token >= 0);
}
