import { Type } from "typebox";
import { moderationMeter, rerankMeter } from "../../dialects/meters/plain-meters.ts";
import { messageMeter, responseMeter } from "../../dialects/meters/text-meters.ts";
import { answer } from "./call.ts";
import { answerJson, jsonAsked } from "./json-call.ts";
import { mebibyte, operation } from "../operation.ts";
import { foreignReply, maybe, modelName, passing } from "./text-fields.ts";
import { nullable } from "../wire.ts";

const group = { method: "POST", tag: "text, other dialects", auth: "client", passesUnknown: true, isCall: true } as const;

export const ResponseRequest = Type.Object(
  {
    model: modelName,
    input: Type.Union([Type.String(), Type.Array(Type.Object({}, passing), { minItems: 1 })]),
    instructions: maybe.text,
    max_output_tokens: Type.Optional(nullable(Type.Integer({ minimum: 16 }))),
    temperature: maybe.temperature,
    top_p: maybe.share,
    stream: maybe.flag,
  },
  { ...passing, description: "OpenAI's responses request." },
);

const createResponse = operation({
  ...group,
  url: "/v1/responses",
  summary: "Answer, in OpenAI's responses dialect",
  errors: "plain",
  scope: "chat",
  body: ResponseRequest,
  reply: foreignReply("OpenAI's response object; with `stream` a stream of events"),
  bodyLimit: 32 * mebibyte,
  run: (ask, services) => answerJson("responses", responseMeter, ask, services),
});

export const MessagesRequest = Type.Object(
  {
    model: modelName,
    max_tokens: Type.Integer({ minimum: 1 }),
    messages: Type.Array(
      Type.Object({ role: Type.Union([Type.Literal("user"), Type.Literal("assistant"), Type.Literal("system")]) }, passing),
      {
        minItems: 1,
      },
    ),
    temperature: maybe.share,
    top_p: maybe.share,
    top_k: maybe.count,
    stop_sequences: Type.Optional(nullable(Type.Array(Type.String()))),
    stream: maybe.flag,
  },
  { ...passing, description: "Anthropic's messages request." },
);

const createMessage = operation({
  ...group,
  url: "/v1/messages",
  summary: "Answer, in Anthropic's messages dialect",
  errors: "messages",
  scope: "chat",
  body: MessagesRequest,
  reply: foreignReply("Anthropic's message object; with `stream` a stream of events"),
  bodyLimit: 32 * mebibyte,
  run: (ask, services) => answerJson("messages", messageMeter, ask, services),
});

export const ModerationRequest = Type.Object(
  {
    model: Type.Optional(nullable(modelName)),
    input: Type.Union([
      Type.String(),
      Type.Array(Type.Union([Type.String(), Type.Object({ type: Type.String() }, passing)]), { minItems: 1 }),
    ]),
  },
  { ...passing, description: "Texts or pictures to judge." },
);

const createModeration = operation({
  ...group,
  url: "/v1/moderations",
  summary: "Judge whether content may do harm",
  errors: "plain",
  scope: "moderations",
  body: ModerationRequest,
  reply: foreignReply("OpenAI's moderation object"),
  bodyLimit: 8 * mebibyte,
  run: (ask, services) =>
    answer({ ...ask, asked: jsonAsked("moderation", ask, "omni-moderation-latest"), meter: moderationMeter }, services),
});

export const RerankRequest = Type.Object(
  {
    model: modelName,
    query: Type.String({ minLength: 1 }),
    documents: Type.Array(Type.Union([Type.String(), Type.Object({}, passing)]), { minItems: 1, maxItems: 2048 }),
    top_n: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
    return_documents: maybe.flag,
  },
  { ...passing, description: "Documents to put in order of how well they answer a query." },
);

const createRerank = operation({
  ...group,
  url: "/v1/rerank",
  summary: "Order documents by how well they answer a query",
  errors: "plain",
  scope: "rerank",
  body: RerankRequest,
  reply: foreignReply("The ranking, as Jina and Cohere give it"),
  bodyLimit: 8 * mebibyte,
  run: (ask, services) => answerJson("rerank", rerankMeter, ask, services),
});

export const textDialectOperations = [createResponse, createMessage, createModeration, createRerank];
