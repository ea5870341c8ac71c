import { fieldOf, textOf } from "../dialect.ts";
import { countOf } from "./openai-shape.ts";
import { countTokens } from "./tokens.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallRequest } from "./upstream.ts";

const categories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/intent",
  "self-harm/instructions",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
];

/** `POST /v1/moderations`: flags what has `[lab:flagged]` in it, as violence. */
export function readModeration({ body }: CallRequest): CallIntent {
  const inputs = judgedTexts(fieldOf(body, "input"));
  const model = textOf(body, "model") || "omni-moderation-latest";
  if (!inputs) return reject("Missing required parameter: 'input'.");
  return call({
    operation: "moderation",
    model,
    prompt: inputs.join("\n"),
    promptTokens: inputs.reduce((sum, text) => sum + countTokens(text), 0),
    stream: false,
    answer: ({ id }) => jsonReply({ id: `modr-${id}`, model, results: inputs.map(judged) }, 0, { "x-request-id": `req_${id}` }),
  });
}

/** A text, several, or one list of parts that is judged as a whole. */
function judgedTexts(input: unknown): string[] | null {
  if (typeof input === "string") return [input];
  if (!Array.isArray(input) || input.length === 0) return null;
  if (input.every((item) => typeof item === "string")) return input.map(String);
  return [input.map((part: unknown) => textOf(part, "text")).join("\n")];
}

function judged(text: string) {
  const flagged = text.includes("[lab:flagged]");
  const each = <V>(value: (name: string) => V) => Object.fromEntries(categories.map((name) => [name, value(name)]));
  return {
    flagged,
    categories: each((name) => flagged && name === "violence"),
    category_scores: each((name) => (flagged && name === "violence" ? 0.97 : 0.0001)),
    category_applied_input_types: each(() => ["text"]),
  };
}

/** `POST /v1/rerank`, as Jina and Cohere have it: the more words of the query a document has, the better. */
export function readRerank({ body }: CallRequest): CallIntent {
  const model = textOf(body, "model");
  const query = textOf(body, "query");
  const list = fieldOf(body, "documents");
  if (model === "" || query === "") return reject("'model' and 'query' are required.");
  if (!Array.isArray(list) || list.length === 0) return reject("'documents' must not be empty.");
  const documents = list.map((item: unknown) => (typeof item === "string" ? item : textOf(item, "text")));
  const tokens = [query, ...documents].reduce((sum, text) => sum + countTokens(text), 0);
  return call({
    operation: "rerank",
    model,
    prompt: query,
    promptTokens: tokens,
    stream: false,
    answer({ id, plan }) {
      const withText = fieldOf(body, "return_documents") === true;
      const results = ranked(query, documents)
        .slice(0, countOf(body, "top_n", documents.length))
        .map(({ index, score }) => ({
          index,
          relevance_score: score,
          ...(withText && { document: { text: documents[index] } }),
        }));
      const usage = plan.usage === "never" ? undefined : { total_tokens: tokens, prompt_tokens: tokens };
      return jsonReply({ id: `rerank-${id}`, model, object: "list", usage, results }, 0, { "x-request-id": `req_${id}` });
    },
  });
}

function ranked(query: string, documents: readonly string[]): { index: number; score: number }[] {
  const wanted = new Set(wordsOf(query));
  const scores = documents.map((text, index) => {
    const found = new Set(wordsOf(text).filter((word) => wanted.has(word)));
    return { index, score: Math.round((found.size / Math.max(wanted.size, 1)) * 0.9 * 1e6) / 1e6 + 0.01 };
  });
  return scores.sort((one, other) => other.score - one.score || one.index - other.index);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
