import { Type } from "typebox";
import { embeddingMeter } from "../../dialects/meters/plain-meters.ts";
import { answerJson } from "./json-call.ts";
import { mebibyte, operation } from "../operation.ts";
import { foreignReply, maybe, modelName, passing } from "./text-fields.ts";
import { nullable } from "../wire.ts";

const text = Type.String({ minLength: 1 });
const tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });

export const EmbeddingRequest = Type.Object(
  {
    model: modelName,
    input: Type.Union(
      [text, Type.Array(text, { minItems: 1, maxItems: 2048 }), tokens, Type.Array(tokens, { minItems: 1, maxItems: 2048 })],
      {
        description: "text, several texts, tokens, or several lists of tokens",
      },
    ),
    encoding_format: Type.Optional(nullable(Type.Union([Type.Literal("float"), Type.Literal("base64")]))),
    dimensions: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
    user: maybe.text,
  },
  { ...passing, description: "Texts to turn into vectors." },
);

const createEmbeddings = operation({
  method: "POST",
  url: "/v1/embeddings",
  tag: "embeddings",
  summary: "Turn texts into vectors",
  errors: "plain",
  auth: "client",
  scope: "embeddings",
  body: EmbeddingRequest,
  passesUnknown: true,
  isCall: true,
  reply: foreignReply("OpenAI's list of embedding objects"),
  bodyLimit: 8 * mebibyte,
  run: (ask, services) => answerJson("embedding", embeddingMeter, ask, services),
});

export const embeddingOperations = [createEmbeddings];
