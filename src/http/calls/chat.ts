import { Type } from "typebox";
import { chatMeter } from "../../dialects/meters/text-meters.ts";
import { answerOrDefer } from "./deferred.ts";
import { jsonAsked } from "./json-call.ts";
import { mebibyte, operation } from "../operation.ts";
import { foreignReply, maybe, modelName, passing } from "./text-fields.ts";
import { nullable } from "../wire.ts";

const Message = Type.Object({ role: Type.String({ minLength: 1 }) }, passing);

export const ChatRequest = Type.Object(
  {
    model: modelName,
    messages: Type.Array(Message, { minItems: 1 }),
    max_completion_tokens: maybe.count,
    max_tokens: maybe.count,
    temperature: maybe.temperature,
    top_p: maybe.share,
    n: maybe.choices,
    logprobs: maybe.flag,
    top_logprobs: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 20 }))),
    stop: maybe.stop,
    seed: Type.Optional(nullable(Type.Integer())),
    frequency_penalty: maybe.penalty,
    presence_penalty: maybe.penalty,
    logit_bias: maybe.bias,
    tools: Type.Optional(nullable(Type.Array(Type.Object({ type: Type.String() }, passing)))),
    stream: maybe.flag,
    stream_options: maybe.options,
    user: maybe.text,
    async: maybe.deferred,
  },
  { ...passing, description: "A conversation to go on with." },
);

const createChat = operation({
  method: "POST",
  url: "/v1/chat/completions",
  tag: "chat",
  summary: "Answer in a conversation",
  errors: "plain",
  auth: "client",
  scope: "chat",
  body: ChatRequest,
  passesUnknown: true,
  isCall: true,
  reply: foreignReply("OpenAI's chat.completion object; with `stream` a stream of events"),
  bodyLimit: 32 * mebibyte,
  run: (ask, services) => answerOrDefer({ ...ask, asked: jsonAsked("chat", ask), meter: chatMeter }, services),
});

export const chatOperations = [createChat];
