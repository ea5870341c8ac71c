import { fieldOf, textOf } from "../dialect.ts";
import { conversationOf, messageOf } from "./conversation.ts";
import type { Conversation } from "./conversation.ts";
import { chatLogprob } from "./logprobs.ts";
import {
  chunkHead,
  countOf,
  doneFrame,
  fingerprint,
  finishWords,
  isChoiceCount,
  secondsOf,
  toolsOf,
  usageChunks,
  usageOf,
} from "./openai-shape.ts";
import { say } from "./saying.ts";
import type { Saying } from "./saying.ts";
import { countMessages } from "./tokens.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallReply, CallRequest, CallWork, Frame } from "./upstream.ts";

/** `POST /v1/chat/completions`. */
export function readChat({ body }: CallRequest): CallIntent {
  const list = fieldOf(body, "messages");
  const model = textOf(body, "model");
  const stream = fieldOf(body, "stream") === true;
  if (model === "") return reject("You must provide a model parameter.");
  if (!Array.isArray(list) || list.length === 0) return reject("Missing required parameter: 'messages'.");
  if (!stream && typeof fieldOf(body, "stream_options") === "object" && fieldOf(body, "stream_options") !== null)
    return reject("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  if (!isChoiceCount(countOf(body, "n", 1))) return reject("Invalid 'n': integer out of range.");
  const conversation = conversationOf(list.map(messageOf));
  const promptTokens = countMessages(conversation.messages);
  const chat = { body, model, promptTokens, conversation };
  return call({
    operation: "chat",
    model,
    prompt: conversation.prompt,
    promptTokens,
    stream,
    answer: (work) => (stream ? streamed(chat, work) : whole(chat, work)),
  });
}

type Chat = { body: unknown; model: string; promptTokens: number; conversation: Conversation };

function sayings({ body, conversation }: Chat, { plan }: CallWork): Saying[] {
  const limits = {
    max: fieldOf(body, "max_completion_tokens") ?? fieldOf(body, "max_tokens"),
    stops: fieldOf(body, "stop"),
    images: conversation.images,
    tools: conversation.isAnswered ? [] : toolsOf(body),
  };
  return Array.from({ length: countOf(body, "n", 1) }, (_, choice) => say(limits, plan, choice));
}

function whole(chat: Chat, work: CallWork): CallReply {
  const said = sayings(chat, work);
  const tokens = said.reduce((sum, one) => sum + one.tokens, 0);
  const reply = {
    id: `chatcmpl-${work.id}`,
    object: "chat.completion",
    created: secondsOf(work),
    model: chat.model,
    choices: said.map((saying, index) => ({
      index,
      message: messageSaid(saying, work),
      logprobs: saying.tool ? null : logprobsOf(chat.body, saying, 0, saying.words),
      finish_reason: finishWords[saying.finish],
    })),
    usage: work.plan.usage === "never" ? undefined : usageOf(chat.promptTokens, tokens),
    service_tier: "default",
    system_fingerprint: fingerprint,
  };
  return jsonReply(reply, tokens, { "x-request-id": `req_${work.id}` });
}

function messageSaid({ tool, text }: Saying, { id }: CallWork) {
  const plain = { role: "assistant", content: tool ? null : text(), refusal: null, annotations: [] };
  if (!tool) return plain;
  return {
    ...plain,
    tool_calls: [{ id: `call_${id}`, type: "function", function: { name: tool.name, arguments: tool.fragments.join("") } }],
  };
}

function logprobsOf(body: unknown, saying: Saying, from: number, to: number) {
  if (fieldOf(body, "logprobs") !== true) return null;
  const top = countOf(body, "top_logprobs", 0);
  return {
    content: Array.from({ length: to - from }, (_, step) => chatLogprob(from + step, saying.word(from + step), top)),
    refusal: null,
  };
}

function streamed(chat: Chat, work: CallWork): CallReply {
  return { form: "frames", wire: "sse", frames: framesOf(chat, work), headers: { "x-request-id": `req_${work.id}` } };
}

function* framesOf(chat: Chat, work: CallWork): Generator<Frame> {
  const said = sayings(chat, work);
  const tokens = said.reduce((sum, one) => sum + one.tokens, 0);
  const head = chunkHead(`chatcmpl-${work.id}`, "chat.completion.chunk", chat.model, work);
  const usage = usageChunks(chat.body, work.plan, chat.promptTokens, tokens);
  const chunk = (index: number, delta: object, logprobs: object | null, finish: string | null, words: number): Frame => {
    const isLast = finish !== null && index === said.length - 1;
    const choice = JSON.stringify({ index, delta, logprobs, finish_reason: finish });
    return { data: `${head}${choice}]${isLast ? usage.lastTail : usage.tail}`, words };
  };
  for (const [index, { tool }] of said.entries())
    yield chunk(index, { role: "assistant", content: tool ? null : "", refusal: null }, null, null, 0);
  const longest = Math.max(...said.map(({ words }) => words), 0);
  for (let at = 0; at < longest; at++) {
    for (const [index, saying] of said.entries()) {
      if (at < saying.words) yield chunk(index, { content: saying.word(at) }, logprobsOf(chat.body, saying, at, at + 1), null, 1);
    }
  }
  for (const [index, saying] of said.entries()) {
    for (const { delta, words } of toolDeltas(saying, work)) yield chunk(index, delta, null, null, words);
  }
  for (const [index, { finish }] of said.entries()) yield chunk(index, {}, null, finishWords[finish], 0);
  if (usage.hasOwn) yield { data: `${head}],"usage":${JSON.stringify(usageOf(chat.promptTokens, tokens))}}`, words: 0 };
  yield doneFrame;
}

function* toolDeltas({ tool }: Saying, { id }: CallWork) {
  if (!tool) return;
  const first = { index: 0, id: `call_${id}`, type: "function", function: { name: tool.name, arguments: "" } };
  yield { delta: { tool_calls: [first] }, words: tool.nameTokens };
  for (const fragment of tool.fragments) yield { delta: { tool_calls: [{ index: 0, function: { arguments: fragment } }] }, words: 1 };
}
