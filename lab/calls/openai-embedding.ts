import { fieldOf, textOf } from "../dialect.ts";
import { countOf } from "./openai-shape.ts";
import { textInputs } from "./text-inputs.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallRequest } from "./upstream.ts";
import { packedVector, usualDimensions, vectorOf } from "./vector.ts";

/** `POST /v1/embeddings`. */
export function readEmbedding({ body }: CallRequest): CallIntent {
  const model = textOf(body, "model");
  const inputs = textInputs(fieldOf(body, "input"));
  const dimensions = countOf(body, "dimensions", usualDimensions);
  if (model === "") return reject("You must provide a model parameter.");
  if (!inputs || inputs.some(({ text }) => text === "")) return reject("'$.input' is invalid.");
  if (inputs.length > 2_048) return reject("'$.input' has more than 2048 items.");
  if (dimensions < 1 || dimensions > 4_096) return reject("'dimensions' is out of range.");
  const promptTokens = inputs.reduce((sum, { tokens }) => sum + tokens, 0);
  const isPacked = fieldOf(body, "encoding_format") === "base64";
  return call({
    operation: "embedding",
    model,
    prompt: inputs.map(({ text }) => text).join("\n"),
    promptTokens,
    stream: false,
    answer({ id, plan }) {
      const data = inputs.map(({ text }, index) => {
        const vector = vectorOf(text, dimensions);
        return { object: "embedding", index, embedding: isPacked ? packedVector(vector) : Array.from(vector) };
      });
      const usage = plan.usage === "never" ? undefined : { prompt_tokens: promptTokens, total_tokens: promptTokens };
      return jsonReply({ object: "list", data, model, usage }, 0, { "x-request-id": `req_${id}` });
    },
  });
}
