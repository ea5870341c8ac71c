import type { Call, JsonObject } from "../../core/call.ts";
import { isObject, textOf } from "../../dialects/json-reading.ts";
import { invalid, notSupported, objectsIn, partsIn } from "../../dialects/request-fields.ts";
import { wholeWithin } from "./fields.ts";
import { chatLogprobs } from "./logprobs.ts";
import { mostTokens, samplingIn, type TextWish } from "./sampling.ts";
import type { TextDialect } from "./text.ts";
import { refuseFields } from "../call/unsupported-field.ts";

type Message = Extract<TextWish["ask"], { messages: unknown }>["messages"][number];

const usualTokens = 256;

/** The next turn of a conversation. */
export const chatDialect: TextDialect = {
  idPrefix: "chatcmpl-",
  object: { whole: "chat.completion", chunk: "chat.completion.chunk" },
  read,
  choice: (index, { text, finish, tokens }) => ({
    index,
    message: { role: "assistant", content: text, refusal: null },
    logprobs: chatLogprobs(tokens),
    finish_reason: finish,
  }),
  grow: (index) => ({
    opening: { index, delta: { role: "assistant", content: "", refusal: null }, logprobs: null, finish_reason: null },
    more: ({ text, tokens }) => ({ index, delta: { content: text }, logprobs: chatLogprobs(tokens), finish_reason: null }),
    ending: (finish) => ({ index, delta: {}, logprobs: null, finish_reason: finish }),
  }),
};

function read({ body }: Call): TextWish {
  refuseFormats(body);
  const sampling = samplingIn(body);
  const old = wholeWithin(body, "max_tokens", [0, mostTokens], usualTokens);
  return {
    ...sampling,
    ask: { messages: objectsIn(body.messages, "messages").map(messageOf).filter(isSaid) },
    bestOf: sampling.choices,
    maxTokens: wholeWithin(body, "max_completion_tokens", [0, mostTokens], old),
    alternatives: alternativesIn(body),
    echo: false,
  };
}

function refuseFormats(body: JsonObject): void {
  refuseFields(body, ["audio"]);
  const { tool_choice: choice, response_format: format } = body;
  if (choice === "required" || isObject(choice)) throw notSupported("tool_choice", "The built-in model cannot call tools.");
  if (isObject(format) && format.type !== "text") throw notSupported("response_format", "The built-in model cannot promise JSON.");
}

function alternativesIn(body: JsonObject): number | null {
  const alternatives = wholeWithin(body, "top_logprobs", [0, 20], 0);
  if (body.logprobs === true) return alternatives;
  if (alternatives > 0) throw invalid("top_logprobs", "'top_logprobs' needs 'logprobs' to be true.");
  return null;
}

const roles: ReadonlyMap<unknown, Message["role"]> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  // What a tool found is told by whoever asked it.
  ["tool", "user"],
  ["function", "user"],
]);

function messageOf({ role: given, content }: JsonObject, at: number): Message {
  const role = roles.get(given);
  if (role === undefined) throw invalid(`messages[${at}].role`, `'messages[${at}].role' must be one of ${[...roles.keys()].join(", ")}.`);
  const param = `messages[${at}].content`;
  const text = partsIn(content, param).map((part) => textOfPart(part, param));
  return { role, text: text.join("\n") };
}

function textOfPart({ type, text, refusal }: JsonObject, param: string): string {
  if (type === "text") return textOf(text);
  if (type === "refusal") return textOf(refusal);
  throw notSupported(param, "The built-in model reads text only.");
}

/** A turn in which only tools were called leaves nothing to read. */
function isSaid({ role, text }: Message): boolean {
  return role !== "assistant" || text !== "";
}
