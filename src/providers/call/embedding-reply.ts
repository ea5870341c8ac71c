/** Embeddings in OpenAI's words, for upstreams that have others. */
import type { Call, JsonObject } from "../../core/call.ts";
import { invalid, notSupported } from "../../dialects/request-fields.ts";
import { present } from "../../dialects/json-reading.ts";

/** The texts that a request asks about; throws for tokens, which only their own tokenizer can read. */
export function textsIn({ body }: Call): string[] {
  const inputs: readonly unknown[] = Array.isArray(body.input) ? body.input : [body.input];
  return inputs.map((input) => {
    if (typeof input === "string" && input !== "") return input;
    if (typeof input === "number" || Array.isArray(input)) throw notSupported("input", "This model takes texts, not tokens.");
    throw invalid("input", "'input' must be a text or a list of texts, none of them empty.");
  });
}

/** The vectors in the encoding that the client asked for; throws where their number is not that of the texts. */
export function embeddingReply(call: Call, vectors: readonly (readonly unknown[])[], promptTokens: number | undefined): JsonObject {
  const { body, model } = call;
  const expected = Array.isArray(body.input) ? body.input.length : 1;
  if (vectors.length !== expected) throw new Error(`the upstream answered ${vectors.length} vectors for ${expected} texts`);
  const data = vectors.map((vector, index) => {
    const numbers = vector.filter((number) => typeof number === "number");
    if (numbers.length === 0 || numbers.length !== vector.length)
      throw new Error("the upstream answered a vector that is not made of numbers");
    return { object: "embedding", index, embedding: body.encoding_format === "base64" ? base64Of(numbers) : numbers };
  });
  const usage = promptTokens === undefined ? undefined : { prompt_tokens: promptTokens, total_tokens: promptTokens };
  return present({ object: "list", data, model: body.model ?? model, usage });
}

function base64Of(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, at) => bytes.writeFloatLE(number, at * 4));
  return bytes.toString("base64");
}
