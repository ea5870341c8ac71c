import type { CallOperation, JsonObject } from "../../core/call.ts";
import type { Amounts, Measured } from "../../core/pricing.ts";
import { isObject, listOf, objectOf, objectsOf, textOf } from "../json-reading.ts";
import { spelledUse } from "./spelled-use.ts";
import type { EventWords } from "./sse-meter.ts";

const done = [Buffer.from("[DONE]")];

/** The use that OpenAI's `usage` tells; null where there is none. */
export function tokensOf(usage: unknown): Amounts | null {
  if (!isObject(usage)) return null;
  const input = usage["prompt_tokens"] ?? usage["input_tokens"];
  const output = usage["completion_tokens"] ?? usage["output_tokens"];
  if (!isCount(input) && !isCount(output)) return null;
  if ([input, output].some((count) => count !== undefined && count !== null && !isCount(count))) return null;
  const cached = Number(usage["cache_creation_input_tokens"] ?? 0) + Number(usage["cache_read_input_tokens"] ?? 0);
  // No reply is made of nothing: who says 0 and 0 does not know.
  if (!input && !output) return null;
  return {
    ...(isCount(input) && { inputTokens: whole(input) + (Number.isFinite(cached) ? whole(cached) : 0) }),
    ...(isCount(output) && { outputTokens: whole(output) }),
  };
}

const mostTokens = 1_000_000_000;

function isCount(value: unknown): value is number {
  return typeof value === "number" && value <= mostTokens;
}

function whole(count: number): number {
  return Math.max(0, Math.ceil(count));
}

function withCost(operation: CallOperation, value: JsonObject, costUsd: number, measured: Measured): JsonObject {
  return { ...value, usage: spelledUse(operation, value["usage"], measured, costUsd) };
}

function errorIn({ error }: JsonObject): JsonObject | null {
  return isObject(error) || typeof error === "string" ? objectOf(error) : null;
}

function useChunk(operation: CallOperation, texts: EventWords["texts"]): EventWords {
  return {
    failure: errorIn,
    amounts: (value) => tokensOf(value["usage"]),
    texts,
    holds(event, value) {
      if (event.data === "[DONE]") return "last";
      return value !== null && isObject(value["usage"]) && listOf(value["choices"]).length === 0 ? "held" : "no";
    },
    marks: done,
    farewell: "data: [DONE]\n\n",
    priced: (value, costUsd, measured) => withCost(operation, value, costUsd, measured),
    split(value) {
      if (!isObject(value["usage"]) || listOf(value["choices"]).length === 0) return null;
      const { id, object, created, model, usage } = value;
      return { shown: { ...value, usage: null }, use: { id, object, created, model, choices: [], usage } };
    },
    use: ({ id, object, created, model }) => ({ id, object, created, model, choices: [] }),
    model: (value) => value["model"],
  };
}

/** The text of one choice of a chat, as it grows or as it is. */
export function chatTexts(part: JsonObject): string[] {
  const calls = objectsOf(part["tool_calls"]).map(({ function: called }) => objectOf(called));
  return [
    textOf(part["content"]),
    textOf(part["reasoning_content"] ?? part["reasoning"]),
    textOf(part["refusal"]),
    ...calls.flatMap((called) => [textOf(called["name"]), textOf(called["arguments"])]),
  ];
}

export const chatWords = useChunk("chat", (value) => objectsOf(value["choices"]).flatMap(({ delta }) => chatTexts(objectOf(delta))));
export const completionWords = useChunk("completion", (value) => objectsOf(value["choices"]).map(({ text }) => textOf(text)));

/** Anthropic's events: the last two tell the use and the end. */
export const messageWords: EventWords = {
  failure: errorIn,
  amounts(value) {
    if (value["type"] === "message_delta") return tokensOf(value["usage"]);
    const begun = value["type"] === "message_start" ? tokensOf(objectOf(value["message"])["usage"]) : null;
    // Who does not know it yet says 0.
    return begun?.inputTokens ? { inputTokens: begun.inputTokens } : null;
  },
  texts(value) {
    const delta = objectOf(value["delta"]);
    return [textOf(delta["text"]), textOf(delta["partial_json"]), textOf(delta["thinking"])];
  },
  holds(_event, value) {
    if (value?.["type"] === "message_stop") return "last";
    return value?.["type"] === "message_delta" ? "held" : "no";
  },
  marks: [Buffer.from("message_stop")],
  farewell: "",
  priced: (value, costUsd, measured) => (value["type"] === "message_delta" ? withCost("messages", value, costUsd, measured) : value),
  split: () => null,
  use: () => null,
  model: (value) => objectOf(value["message"])["model"],
};

const ends = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** The events of OpenAI's responses: the last one repeats the whole. */
export const responseWords: EventWords = {
  failure(value) {
    if (value["type"] === "error") return value;
    return value["type"] === "response.failed" ? objectOf(objectOf(value["response"])["error"]) : errorIn(value);
  },
  amounts: (value) => tokensOf(objectOf(value["response"])["usage"]),
  texts: (value) => (textOf(value["type"]).endsWith(".delta") ? [textOf(value["delta"])] : []),
  holds: (_event, value) => (ends.has(textOf(value?.["type"])) ? "last" : "no"),
  marks: [...ends].map((name) => Buffer.from(name)),
  farewell: "",
  priced: (value, costUsd, measured) => ({ ...value, response: withCost("responses", objectOf(value["response"]), costUsd, measured) }),
  split: () => null,
  use: () => null,
  model: (value) => objectOf(value["response"])["model"],
};
