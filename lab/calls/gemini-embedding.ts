import { fieldOf, textOf } from "../dialect.ts";
import { countOf } from "./openai-shape.ts";
import { countTokens } from "./tokens.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallRequest } from "./upstream.ts";
import { usualDimensions, vectorOf } from "./vector.ts";

/** `:embedContent`. */
export function readEmbedContent({ body }: CallRequest, model: string): CallIntent {
  return embedding(model, [body], ([embedded]) => ({ embedding: embedded }));
}

/** `:batchEmbedContents`. */
export function readBatchEmbed({ body }: CallRequest, model: string): CallIntent {
  const requests = fieldOf(body, "requests");
  if (!Array.isArray(requests) || requests.length === 0) return reject("* BatchEmbedContentsRequest.requests: at least one is required");
  if (requests.some((request: unknown) => textOf(request, "model") !== `models/${model}`))
    return reject("* BatchEmbedContentsRequest.requests[0].model: unexpected model name format");
  return embedding(model, requests, (embeddings) => ({ embeddings }));
}

function embedding(model: string, requests: unknown[], shape: (embeddings: { values: number[] }[]) => object): CallIntent {
  const texts = requests.map((request) => textIn(fieldOf(request, "content")));
  if (texts.includes("")) return reject("* EmbedContentRequest.content: empty Part");
  return call({
    operation: "embedding",
    model,
    prompt: texts.join("\n"),
    promptTokens: texts.reduce((sum, text) => sum + countTokens(text), 0),
    stream: false,
    answer: () =>
      jsonReply(
        shape(
          texts.map((text, index) => ({
            values: Array.from(vectorOf(text, countOf(requests[index], "outputDimensionality", usualDimensions))),
          })),
        ),
      ),
  });
}

function textIn(content: unknown): string {
  const parts = fieldOf(content, "parts");
  return (Array.isArray(parts) ? parts : [parts]).map((part: unknown) => textOf(part, "text")).join("\n");
}
