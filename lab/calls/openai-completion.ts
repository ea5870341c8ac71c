import { fieldOf, textOf } from "../dialect.ts";
import { legacyLogprobs } from "./logprobs.ts";
import { chunkHead, countOf, doneFrame, fingerprint, finishWords, isChoiceCount, secondsOf, usageChunks, usageOf } from "./openai-shape.ts";
import { say } from "./saying.ts";
import type { Saying } from "./saying.ts";
import { textInputs } from "./text-inputs.ts";
import type { TextInput } from "./text-inputs.ts";
import { tokenTexts } from "./tokens.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallReply, CallRequest, CallWork, Frame } from "./upstream.ts";

/** `POST /v1/completions`. */
export function readCompletion({ body }: CallRequest): CallIntent {
  const model = textOf(body, "model");
  const prompts = textInputs(fieldOf(body, "prompt") ?? "");
  const stream = fieldOf(body, "stream") === true;
  if (model === "") return reject("You must provide a model parameter.");
  if (!prompts) return reject("Invalid type for 'prompt'.");
  if (stream && countOf(body, "best_of", 1) > 1) return reject("You cannot currently stream completions with best_of > 1.");
  if (countOf(body, "best_of", 20) < countOf(body, "n", 1)) return reject("best_of must be greater than or equal to n.");
  if (!isChoiceCount(countOf(body, "n", 1))) return reject("Invalid 'n': integer out of range.");
  const promptTokens = prompts.reduce((sum, { tokens }) => sum + tokens, 0);
  const asked = { body, model, prompts, promptTokens };
  return call({
    operation: "completion",
    model,
    prompt: prompts.map(({ text }) => text).join("\n"),
    promptTokens,
    stream,
    answer: (work) => (stream ? streamed(asked, work) : whole(asked, work)),
  });
}

type Asked = { body: unknown; model: string; prompts: TextInput[]; promptTokens: number };

/** One choice: what is said, and the prompt before it where it is to be repeated. */
type Choice = { index: number; saying: Saying; echo: string };

function choicesOf({ body, prompts }: Asked, { plan }: CallWork): Choice[] {
  const limits = { max: fieldOf(body, "max_tokens"), stops: fieldOf(body, "stop") };
  const count = countOf(body, "n", 1);
  const isEcho = fieldOf(body, "echo") === true;
  return prompts.flatMap(({ text }, place) =>
    Array.from({ length: count }, (_, choice) => ({
      index: place * count + choice,
      saying: say(limits, plan, choice),
      echo: isEcho ? text : "",
    })),
  );
}

function whole(asked: Asked, work: CallWork): CallReply {
  const choices = choicesOf(asked, work);
  const tokens = choices.reduce((sum, { saying }) => sum + saying.tokens, 0);
  const reply = {
    id: `cmpl-${work.id}`,
    object: "text_completion",
    created: secondsOf(work),
    model: asked.model,
    system_fingerprint: fingerprint,
    choices: choices.map(({ index, saying, echo }) => {
      const words = Array.from({ length: saying.words }, (_, at) => saying.word(at));
      return {
        text: echo + words.join(""),
        index,
        logprobs: logprobsOf(asked.body, echo, [...echoTokens(asked.body, echo), ...words], 0, 0),
        finish_reason: finishWords[saying.finish],
      };
    }),
    usage: work.plan.usage === "never" ? undefined : usageOf(asked.promptTokens, tokens),
  };
  return jsonReply(reply, tokens, { "x-request-id": `req_${work.id}` });
}

function echoTokens(body: unknown, echo: string): string[] {
  return echo === "" || typeof fieldOf(body, "logprobs") !== "number" ? [] : tokenTexts(echo);
}

function logprobsOf(body: unknown, echo: string, tokens: string[], from: number, offset: number) {
  const top = fieldOf(body, "logprobs");
  return typeof top === "number" ? legacyLogprobs(tokens, { from, offset, top, isEcho: echo !== "" }) : null;
}

function streamed(asked: Asked, work: CallWork): CallReply {
  return { form: "frames", wire: "sse", frames: framesOf(asked, work), headers: { "x-request-id": `req_${work.id}` } };
}

function* framesOf(asked: Asked, work: CallWork): Generator<Frame> {
  const { body, model, promptTokens } = asked;
  const choices = choicesOf(asked, work);
  const tokens = choices.reduce((sum, { saying }) => sum + saying.tokens, 0);
  const head = chunkHead(`cmpl-${work.id}`, "text_completion", model, work);
  const usage = usageChunks(body, work.plan, promptTokens, tokens);
  const chunk = (index: number, text: string, logprobs: object | null, finish: string | null, words: number): Frame => {
    const isLast = finish !== null && index === choices.length - 1;
    const choice = JSON.stringify({ text, index, logprobs, finish_reason: finish });
    return { data: `${head}${choice}]${isLast ? usage.lastTail : usage.tail}`, words };
  };
  const echoed = choices.map(({ echo }) => echoTokens(body, echo));
  const offsets = choices.map(({ echo }) => echo.length);
  for (const [place, { index, echo }] of choices.entries())
    if (echo !== "") yield chunk(index, echo, logprobsOf(body, echo, echoed[place] ?? [], 0, 0), null, 0);
  const longest = Math.max(...choices.map(({ saying }) => saying.words), 0);
  for (let at = 0; at < longest; at++) {
    for (const [place, { index, saying, echo }] of choices.entries()) {
      if (at >= saying.words) continue;
      const word = saying.word(at);
      const offset = offsets[place] ?? 0;
      offsets[place] = offset + word.length;
      yield chunk(index, word, logprobsOf(body, echo, [word], (echoed[place]?.length ?? 0) + at, offset), null, 1);
    }
  }
  for (const { index, saying } of choices) yield chunk(index, "", null, finishWords[saying.finish], 0);
  if (usage.hasOwn) yield { data: `${head}],"usage":${JSON.stringify(usageOf(promptTokens, tokens))}}`, words: 0 };
  yield doneFrame;
}
