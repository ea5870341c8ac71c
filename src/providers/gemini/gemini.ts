import type { Call } from "../../core/call.ts";
import { listOf, objectOf, objectsOf, present } from "../../dialects/json-reading.ts";
import { liveMint, type Mint } from "../../dialects/mint.ts";
import { numberIn } from "../../dialects/request-fields.ts";
import type { CallTranslation } from "../call/spec.ts";
import { createCallAdapter } from "../call/call.ts";
import { pathSegment } from "../call/path-segment.ts";
import { chatReply } from "../call/chat-reply.ts";
import { embeddingReply, textsIn } from "../call/embedding-reply.ts";
import { readCandidates, readUsage } from "./reply.ts";
import { geminiRequest } from "./request.ts";
import { GeminiStream } from "./stream.ts";

/** Chat in the words of generateContent. */
export function geminiChat(mint: Mint): CallTranslation {
  return {
    request: geminiRequest,
    reply: (value, call) => chatReply(call, readCandidates(objectOf(value), mint), readUsage(objectOf(value)), mint),
    stream: (call) => new GeminiStream(call, mint),
  };
}

export const geminiEmbedding: CallTranslation = {
  request(call) {
    const outputDimensionality = numberIn(call.body, "dimensions");
    const requests = textsIn(call).map((text) =>
      present({ model: resourceOf(call.model), content: { parts: [{ text }] }, outputDimensionality }),
    );
    return { requests };
  },
  reply(value, call) {
    const { embeddings, usageMetadata } = objectOf(value);
    const { promptTokenCount } = objectOf(usageMetadata);
    const vectors = objectsOf(embeddings).map(({ values }) => listOf(values));
    return embeddingReply(call, vectors, typeof promptTokenCount === "number" ? promptTokenCount : undefined);
  },
};

/** Google's Gemini API. */
export const gemini = createCallAdapter({
  type: "gemini",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  auth: { header: "x-goog-api-key" },
  operations: {
    chat: { path: geminiChatPath, translate: geminiChat(liveMint) },
    embedding: { path: ({ model }) => `/${resourceOf(model)}:batchEmbedContents`, translate: geminiEmbedding },
  },
});

/** Where a chat goes: whether it is streamed is part of the address. */
export function geminiChatPath({ model, stream }: Pick<Call, "model" | "stream">): string {
  return `/${resourceOf(model)}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
}

/** Names with a slash are whole already, such as "tunedModels/mine". */
function resourceOf(model: string): string {
  const path = model.split("/").map((segment) => pathSegment(segment, "model"));
  return path.length > 1 ? path.join("/") : `models/${path.join("")}`;
}
