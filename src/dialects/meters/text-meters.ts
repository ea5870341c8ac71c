import type { JsonObject } from "../../core/call.ts";
import type { Asked, Meter, OutputLimit } from "../../core/meter.ts";
import { countTokens } from "../../kit/token-count.ts";
import { chatTexts, chatWords, completionWords, messageWords, responseWords, tokensOf } from "./event-words.ts";
import { isObject, objectOf, objectsOf, textOf } from "../json-reading.ts";
import { countChat, countInput, countMessages, countResponses, picturesIn } from "./prompt-tokens.ts";
import { SseMeter, type EventWords } from "./sse-meter.ts";

type TextWords = {
  events: EventWords;
  limit: OutputLimit;
  countPrompt(body: JsonObject): Promise<number>;
  /** The text of a whole reply. */
  texts(value: JsonObject): string[];
  showsUse(body: JsonObject): boolean;
};

function textMeter({ events, limit, countPrompt, texts, showsUse }: TextWords): Meter {
  return {
    most: (asked) => ({ inputTokens: promptBytes(asked) }),
    output: limit,
    told: (_asked, { value }) => (isObject(value) ? complete(tokensOf(value["usage"])) : null),
    async counted({ body }, { value }) {
      const said = isObject(value) ? texts(value) : [];
      return { inputTokens: await countPrompt(body), outputTokens: await countTokens([said.join("")]) };
    },
    stream: (asked, alias) =>
      new SseMeter({ words: events, showsUse: showsUse(asked.body), alias, countPrompt: () => countPrompt(asked.body) }),
  };
}

function complete<A extends { outputTokens?: number }>(amounts: A | null): A | null {
  return amounts?.outputTokens === undefined ? null : amounts;
}

const manyBytes = 32 * 1024;
const mediaTokens = 2_048;

// A token is at least a byte of the prompt; media inside it count by what models make of them, not by their size.
function promptBytes({ raw, body }: Asked): number {
  const bytes = (raw?.byteLength ?? Buffer.byteLength(JSON.stringify(body))) + picturesIn(body["messages"] ?? body["input"]) * mediaTokens;
  return bytes < manyBytes ? bytes : bytes - mediaBytes(body);
}

function mediaBytes(value: unknown): number {
  if (typeof value === "string") return value.length > manyBytes && isMedia(value) ? value.length - mediaTokens : 0;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + mediaBytes(item), 0);
}

function isMedia(text: string): boolean {
  return text.startsWith("data:") || /^[A-Za-z0-9+/]{1000}/.test(text);
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

const chatLimit: OutputLimit = {
  of: (body) => numberOf(body["max_completion_tokens"]) ?? numberOf(body["max_tokens"]),
  names: (body) => chatLimit.of(body) !== null,
  times: (body) => Math.max(1, numberOf(body["n"]) ?? 1),
  change(body, tokens) {
    const name = body["max_tokens"] !== undefined && body["max_completion_tokens"] === undefined ? "max_tokens" : "max_completion_tokens";
    return { ...body, [name]: tokens };
  },
};

const completionLimit: OutputLimit = {
  // Sixteen is what this dialect means when it says nothing.
  of: (body) => numberOf(body["max_tokens"]) ?? 16,
  names: (body) => numberOf(body["max_tokens"]) !== null,
  times: (body) => Math.max(1, numberOf(body["n"]) ?? 1, numberOf(body["best_of"]) ?? 1) * prompts(body["prompt"]),
  change: (body, tokens) => ({ ...body, max_tokens: tokens }),
};

function prompts(prompt: unknown): number {
  if (!Array.isArray(prompt) || typeof prompt[0] === "number") return 1;
  return Math.max(1, prompt.length);
}

function plainLimit(name: string): OutputLimit {
  return {
    of: (body) => numberOf(body[name]),
    names: (body) => numberOf(body[name]) !== null,
    times: () => 1,
    change: (body, tokens) => ({ ...body, [name]: tokens }),
  };
}

function asksForUse(body: JsonObject): boolean {
  return objectOf(body["stream_options"])["include_usage"] === true;
}

export const completionMeter = textMeter({
  events: completionWords,
  limit: completionLimit,
  countPrompt: (body) => countInput(body["prompt"]),
  texts: (value) => objectsOf(value["choices"]).map(({ text }) => textOf(text)),
  showsUse: asksForUse,
});

export const chatMeter = textMeter({
  events: chatWords,
  limit: chatLimit,
  countPrompt: countChat,
  texts: (value) => objectsOf(value["choices"]).flatMap(({ message }) => chatTexts(objectOf(message))),
  showsUse: asksForUse,
});

export const messageMeter = textMeter({
  events: messageWords,
  limit: plainLimit("max_tokens"),
  countPrompt: countMessages,
  texts: (value) => objectsOf(value["content"]).flatMap((block) => [textOf(block["text"]), textOf(block["thinking"]), inputText(block)]),
  showsUse: () => true,
});

export const responseMeter = textMeter({
  events: responseWords,
  limit: plainLimit("max_output_tokens"),
  countPrompt: countResponses,
  texts: (value) =>
    objectsOf(value["output"]).flatMap((item) => [
      textOf(item["arguments"]),
      ...objectsOf(item["content"]).map(({ text }) => textOf(text)),
    ]),
  showsUse: () => true,
});

function inputText({ input }: JsonObject): string {
  return input === undefined ? "" : JSON.stringify(input);
}
