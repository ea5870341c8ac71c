import type { Call } from "../../core/call.ts";
import { isObject } from "../../dialects/json-reading.ts";
import { invalid, textIn } from "../../dialects/request-fields.ts";
import { wholeWithin } from "./fields.ts";
import { inFolder, wholeJson, type LocalAnswer } from "./workshop.ts";

type Ranked = { index: number; score: number };

/** Orders documents by how near each lies to the query in the space of the embedding model: 1 is the same direction, 0 the opposite. */
export const answerRerank: LocalAnswer = async (workshop, call, { signal }) => {
  const query = queryIn(call);
  const documents = documentsIn(call);
  const count = wholeWithin(call.body, "top_n", [1, Number.MAX_SAFE_INTEGER], documents.length);
  const { vectors, tokens } = await inFolder(workshop, (outDir) =>
    workshop.engines.run({ engine: "embedding", outDir, texts: [query, ...documents] }, { signal }),
  );
  const withText = call.body.return_documents === true;
  return wholeJson({
    id: `rerank-${workshop.mint.id()}`,
    model: call.body.model ?? call.model,
    object: "list",
    results: rank(vectors)
      .slice(0, count)
      .map(({ index, score }) => ({ index, relevance_score: score, ...(withText && { document: { text: documents[index] } }) })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
};

function queryIn({ body }: Call): string {
  const query = textIn(body, "query") ?? "";
  if (query === "") throw invalid("query", "'query' must be a text that is not empty.");
  return query;
}

function documentsIn({ body: { documents } }: Call): string[] {
  if (!Array.isArray(documents) || documents.length === 0) throw invalid("documents", "'documents' must be a list that is not empty.");
  return documents.map((document: unknown, at) => {
    const text = isObject(document) ? document.text : document;
    if (typeof text === "string" && text !== "") return text;
    throw invalid(`documents[${at}]`, `'documents[${at}]' must be a text or an object with a 'text', which is not empty.`);
  });
}

/** The first vector is the query's; documents that are equally near keep their order. */
function rank([query = [], ...documents]: readonly number[][]): Ranked[] {
  const ranked = documents.map((vector, index) => ({ index, score: nearness(query, vector) }));
  return ranked.sort((one, other) => other.score - one.score);
}

/** The vectors have length 1, so that their product is the cosine of the angle between them, give or take a rounding. */
function nearness(one: readonly number[], other: readonly number[]): number {
  const cosine = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  return Math.max(0, Math.min(1, (1 + cosine) / 2));
}
