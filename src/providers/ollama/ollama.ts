import { listOf, objectOf, present } from "../../dialects/json-reading.ts";
import { liveMint } from "../../dialects/mint.ts";
import { numberIn } from "../../dialects/request-fields.ts";
import type { CallTranslation } from "../call/spec.ts";
import { createCallAdapter } from "../call/call.ts";
import { embeddingReply, textsIn } from "../call/embedding-reply.ts";
import { ollamaChat } from "./chat.ts";
import { ollamaCompletion } from "./completion.ts";

export const ollamaEmbedding: CallTranslation = {
  request: (call) =>
    present({
      model: call.model,
      input: textsIn(call),
      dimensions: numberIn(call.body, "dimensions"),
    }),
  reply(value, call) {
    const { embeddings, prompt_eval_count: count } = objectOf(value);
    return embeddingReply(call, listOf(embeddings).map(listOf), typeof count === "number" ? count : undefined);
  },
};

/** An Ollama server, by its own API: the OpenAI-compatible one that it also has leaves likelihoods out of completions. */
export const ollama = createCallAdapter({
  type: "ollama",
  baseUrl: "http://127.0.0.1:11434",
  keyOptional: true,
  probe: "/api/tags",
  operations: {
    chat: { path: "/api/chat", translate: ollamaChat(liveMint) },
    completion: { path: "/api/generate", translate: ollamaCompletion(liveMint) },
    embedding: { path: "/api/embed", translate: ollamaEmbedding },
  },
});
