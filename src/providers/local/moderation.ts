import type { Call, JsonObject } from "../../core/call.ts";
import { isObject } from "../../dialects/json-reading.ts";
import { invalid, notSupported } from "../../dialects/request-fields.ts";
import { judge, type Scores } from "./judge.ts";
import { harmCategories, type HarmCategory } from "./harm-words.ts";
import { wholeJson, type LocalAnswer } from "./workshop.ts";

const mostTexts = 2048;
const flaggedAbove = 0.5;

/** Judges texts by a list of English words and phrases; it is no model, reads no pictures and knows nothing of what is meant. */
export const answerModeration: LocalAnswer = async ({ mint }, call, { signal }) => {
  const results: JsonObject[] = [];
  for (const text of textsIn(call)) results.push(describe(await judge(text, signal)));
  return wholeJson({ id: `modr-${mint.id()}`, model: call.body.model ?? call.model, results });
};

/** A text, several that are judged one by one, or the parts of one. */
function textsIn({ body: { input } }: Call): string[] {
  if (typeof input === "string") return [input];
  const items: readonly unknown[] = Array.isArray(input) ? input : [];
  if (items.length > mostTexts) throw invalid("input", `'input' may be a list of at most ${mostTexts}.`);
  const texts = items.filter((item) => typeof item === "string");
  if (texts.length > 0 && texts.length === items.length) return texts;
  const parts = items.filter(isObject);
  if (parts.length > 0 && parts.length === items.length) return [textOfParts(parts)];
  throw invalid("input", "'input' must be a text, a list of texts, or a list of parts.");
}

function textOfParts(parts: readonly JsonObject[]): string {
  const texts = parts.flatMap(({ type, text }, at) => {
    if (type === "text" && typeof text === "string") return [text];
    if (type === "image_url") return [];
    throw invalid(`input[${at}]`, `'input[${at}]' must be a part of type text or image_url.`);
  });
  if (texts.length === 0) throw notSupported("input", "The built-in judge reads text only.");
  return texts.join("\n");
}

function describe(scores: Scores): JsonObject {
  const score = (category: HarmCategory): number => scores.get(category) ?? 0;
  const isFlagged = (category: HarmCategory): boolean => score(category) > flaggedAbove;
  const each = <V>(value: (category: HarmCategory) => V) => Object.fromEntries(harmCategories.map((name) => [name, value(name)]));
  return {
    flagged: harmCategories.some(isFlagged),
    categories: each(isFlagged),
    category_scores: each(score),
    category_applied_input_types: each(() => ["text"]),
  };
}
