import type { Call, JsonObject } from "../../core/call.ts";
import { isObject, listOf, objectOf, present, textOf } from "../../dialects/json-reading.ts";
import { notSupported, numberIn, textIn } from "../../dialects/request-fields.ts";
import { contentsOf } from "./contents.ts";
import { geminiTools } from "./tools.ts";
import { stopsIn } from "../call/stop-sequences.ts";
import { refuseFields } from "../call/unsupported-field.ts";

/** A chat request as generateContent takes it. */
export function geminiRequest({ body, model }: Call): JsonObject {
  refuseFields(body, ["logit_bias", "functions", "audio", "web_search_options"]);
  const { contents, system } = contentsOf(body.messages, newestOf(model) >= 3);
  return present({
    contents,
    systemInstruction: system.length === 0 ? undefined : { parts: system },
    ...geminiTools(body),
    generationConfig: generationConfig(body, model),
  });
}

function generationConfig(body: JsonObject, model: string): JsonObject | undefined {
  const count = numberIn(body, "n");
  const logprobs = body.logprobs === true;
  const config = present({
    temperature: numberIn(body, "temperature"),
    topP: numberIn(body, "top_p"),
    topK: numberIn(body, "top_k"),
    maxOutputTokens: numberIn(body, "max_completion_tokens") ?? numberIn(body, "max_tokens"),
    stopSequences: stopsIn(body),
    candidateCount: count === 1 ? undefined : count,
    seed: numberIn(body, "seed"),
    presencePenalty: numberIn(body, "presence_penalty"),
    frequencyPenalty: numberIn(body, "frequency_penalty"),
    responseLogprobs: logprobs ? true : undefined,
    logprobs: logprobs ? numberIn(body, "top_logprobs") : undefined,
    ...formatFields(body.response_format),
    responseModalities: modalitiesOf(body.modalities),
    thinkingConfig: thinkingConfig(textIn(body, "reasoning_effort") ?? "", model),
  });
  return Object.keys(config).length === 0 ? undefined : config;
}

function formatFields(format: unknown): JsonObject {
  const { type, json_schema: described } = objectOf(format);
  if (type === "json_object") return { responseMimeType: "application/json" };
  if (type !== "json_schema") return {};
  const { schema } = objectOf(described);
  return present({ responseMimeType: "application/json", responseJsonSchema: isObject(schema) ? schema : undefined });
}

function modalitiesOf(modalities: unknown): string[] | undefined {
  const asked = listOf(modalities).map(textOf);
  const odd = asked.find((name) => name !== "text" && name !== "image");
  if (odd !== undefined) throw notSupported("modalities", `This model answers with text and images, not '${odd}'.`);
  return asked.includes("image") ? asked.map((name) => name.toUpperCase()) : undefined;
}

const budgets: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

const levels: Readonly<Record<string, string>> = {
  none: "minimal",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

// From 3 on thinking has levels, in 2.5 a budget; older models do not think and refuse the field.
function thinkingConfig(effort: string, model: string): JsonObject | undefined {
  const version = newestOf(model);
  if (!Object.hasOwn(levels, effort) || version < 2.5) return undefined;
  const isPro = /\bpro\b/.test(model);
  // Pro models cannot but think.
  if (version < 3) return { thinkingBudget: effort === "none" && isPro ? 128 : budgets[effort] };
  return { thinkingLevel: isPro && levels[effort] === "minimal" ? "low" : levels[effort] };
}

/** The version in a model's name; a name without one is taken as new. */
function newestOf(model: string): number {
  const [, version] = /gemini-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  return version === undefined ? 3 : Number(version);
}
