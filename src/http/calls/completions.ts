import { Type } from "typebox";
import { completionMeter } from "../../dialects/meters/text-meters.ts";
import { answerJson } from "./json-call.ts";
import { mebibyte, operation } from "../operation.ts";
import { foreignReply, maybe, modelName, passing } from "./text-fields.ts";
import { nullable } from "../wire.ts";

const tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });

export const CompletionRequest = Type.Object(
  {
    model: modelName,
    prompt: Type.Union(
      [Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 2048 }), tokens, Type.Array(tokens, { minItems: 1 })],
      {
        description: "text, several texts, tokens, or several lists of tokens",
      },
    ),
    max_tokens: maybe.count,
    temperature: maybe.temperature,
    top_p: maybe.share,
    n: maybe.choices,
    best_of: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 20 }))),
    echo: maybe.flag,
    logprobs: Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: 5, description: "how many alternatives to tell for each token" })),
    ),
    stop: maybe.stop,
    suffix: maybe.text,
    seed: Type.Optional(nullable(Type.Integer())),
    frequency_penalty: maybe.penalty,
    presence_penalty: maybe.penalty,
    logit_bias: maybe.bias,
    stream: maybe.flag,
    stream_options: maybe.options,
    user: maybe.text,
  },
  { ...passing, description: "Text to go on from." },
);

const createCompletion = operation({
  method: "POST",
  url: "/v1/completions",
  tag: "completion",
  summary: "Complete a text",
  errors: "plain",
  auth: "client",
  scope: "completion",
  body: CompletionRequest,
  passesUnknown: true,
  isCall: true,
  reply: foreignReply("OpenAI's text_completion object; with `stream` a stream of events"),
  bodyLimit: 8 * mebibyte,
  run: (ask, services) => answerJson("completion", completionMeter, ask, services),
});

export const completionOperations = [createCompletion];
