import { objectOf, objectsOf, present, textOf } from "../../src/dialects/json-reading.ts";
import { notSupported, numberIn, textIn } from "../../src/dialects/request-fields.ts";
import { createCallAdapter } from "../../src/providers/call/call.ts";
import { bend } from "../../src/providers/call/field-quirk.ts";

/** Acme Words, an upstream that does not exist: the example of docs/add-a-provider.md. */
export const acmeWords = createCallAdapter({
  type: "acme-words",
  baseUrl: "https://api.acme-words.example/v1",
  auth: { header: "x-api-key" },
  operations: {
    // Its chat is OpenAI's but for the spelling of one field; replies and streams pass as they are.
    chat: { path: "/chat", adjust: (body) => bend(body, { rename: { max_completion_tokens: "max_tokens" } }) },
    // Its ranking has words of its own, and the model in its address.
    rerank: {
      path: ({ model }) => `/rank/${encodeURIComponent(model)}`,
      translate: {
        request({ body }) {
          if (body.return_documents === true) throw notSupported("return_documents", "This model does not repeat the documents.");
          return present({ question: textIn(body, "query"), texts: body.documents, best: numberIn(body, "top_n") });
        },
        reply(value, { body }) {
          const { ranking, tokens_read: read } = objectOf(value);
          const results = objectsOf(ranking).map(({ text, score }) => ({ index: Number(text), relevance_score: score }));
          return { object: "list", model: textOf(body.model), results, usage: { prompt_tokens: read, total_tokens: read } };
        },
      },
    },
  },
});
