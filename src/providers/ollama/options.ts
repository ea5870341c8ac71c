import type { JsonObject } from "../../core/call.ts";
import { countOf, objectOf, objectsOf, present, textOf } from "../../dialects/json-reading.ts";
import { invalid, numberIn, textIn } from "../../dialects/request-fields.ts";
import type { Used } from "../call/chat-reply.ts";
import { stopsIn } from "../call/stop-sequences.ts";

/** How long a reply may be and how a model is to sample. */
export function optionsOf(body: JsonObject, ceiling: number | undefined): JsonObject {
  return present({
    num_predict: ceiling,
    temperature: numberIn(body, "temperature"),
    top_p: numberIn(body, "top_p"),
    top_k: numberIn(body, "top_k"),
    min_p: numberIn(body, "min_p"),
    seed: numberIn(body, "seed"),
    stop: stopsIn(body),
    presence_penalty: numberIn(body, "presence_penalty"),
    frequency_penalty: numberIn(body, "frequency_penalty"),
  });
}

/** `response_format` as a format: a word or a schema. */
export function formatOf(format: unknown): unknown {
  const { type, json_schema: described } = objectOf(format);
  if (type === "json_object") return "json";
  return type === "json_schema" ? (objectOf(described).schema ?? "json") : undefined;
}

const levels: Readonly<Record<string, string | false>> = {
  none: false,
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** Whether and how hard to think; undefined leaves it to the model. */
export function thinkOf(body: JsonObject): string | false | undefined {
  const effort = textIn(body, "reasoning_effort");
  if (effort === undefined) return undefined;
  if (!Object.hasOwn(levels, effort)) throw invalid("reasoning_effort", `'${effort}' is not a reasoning effort.`);
  return levels[effort];
}

export function finishOf(reason: unknown, callsTools: boolean): string {
  if (reason === "length") return "length";
  return callsTools ? "tool_calls" : "stop";
}

/** What was used; null where it is not said, as by versions that do not count a prompt which lay ready in their cache. */
export function usedOf(value: JsonObject): Used | null {
  const { prompt_eval_count: prompt, eval_count: completion } = value;
  return typeof prompt === "number" ? { prompt: countOf(prompt), completion: countOf(completion) } : null;
}

/** The likelihoods of the tokens in a reply or a piece of it; null where there are none. */
export function logprobsOf({ logprobs }: JsonObject): JsonObject[] | null {
  return Array.isArray(logprobs) ? objectsOf(logprobs).map(likelihoodOf) : null;
}

function likelihoodOf({ token, logprob, bytes, top_logprobs: top }: JsonObject): JsonObject {
  const spelt = (text: unknown, given: unknown): unknown => (Array.isArray(given) ? given : [...Buffer.from(textOf(text))]);
  const tops = objectsOf(top).map((other) => ({ token: other.token, logprob: other.logprob, bytes: spelt(other.token, other.bytes) }));
  return { token, logprob, bytes: spelt(token, bytes), top_logprobs: tops };
}
