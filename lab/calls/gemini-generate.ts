import { fieldOf, textOf } from "../dialect.ts";
import { conversationOf } from "./conversation.ts";
import type { Conversation, Message } from "./conversation.ts";
import { logprobAt, rivalsAt } from "./logprobs.ts";
import { countOf } from "./openai-shape.ts";
import { say } from "./saying.ts";
import type { Saying } from "./saying.ts";
import { countMessages } from "./tokens.ts";
import type { Tool } from "./tool-call.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallRequest, CallWork, Frame } from "./upstream.ts";

const finishReasons: Record<Saying["finish"], string> = { stop: "STOP", length: "MAX_TOKENS", tool: "STOP", filter: "SAFETY" };

type Told = { model: string; config: unknown; promptTokens: number; said: Saying[]; work: CallWork };

/** `:generateContent` and `:streamGenerateContent`. */
export function readGenerate({ body, query }: CallRequest, model: string, stream: boolean): CallIntent {
  const conversation = conversationIn(body);
  if (!conversation) return reject("* GenerateContentRequest.contents: contents is not specified");
  const config = fieldOf(body, "generationConfig");
  const promptTokens = countMessages(conversation.messages);
  return call({
    operation: "chat",
    model,
    prompt: conversation.prompt,
    promptTokens,
    stream,
    answer(work) {
      const limits = {
        max: fieldOf(config, "maxOutputTokens"),
        stops: fieldOf(config, "stopSequences"),
        images: conversation.images,
        tools: conversation.isAnswered ? [] : toolsOf(body),
      };
      const said = Array.from({ length: countOf(config, "candidateCount", 1) }, (_, choice) => say(limits, work.plan, choice));
      const told = { model, config, promptTokens, said, work };
      const wire = query.get("alt") === "sse" ? "sse" : "array";
      return stream ? { form: "frames", wire, frames: framesOf(told) } : jsonReply(wholeOf(told), tokensOf(told));
    },
  });
}

/** `:countTokens`. */
export function readCount({ body }: CallRequest, model: string): CallIntent {
  const conversation = conversationIn(fieldOf(body, "generateContentRequest") ?? body);
  if (!conversation) return reject("* CountTokensRequest.contents: contents is not specified");
  const promptTokens = countMessages(conversation.messages);
  const answer = () => jsonReply({ totalTokens: promptTokens, promptTokensDetails: [{ modality: "TEXT", tokenCount: promptTokens }] });
  return call({ operation: "count-tokens", model, prompt: conversation.prompt, promptTokens, stream: false, answer });
}

function conversationIn(body: unknown): Conversation | null {
  const contents = fieldOf(body, "contents");
  if (!Array.isArray(contents) || contents.length === 0) return null;
  const system = fieldOf(body, "systemInstruction") ?? fieldOf(body, "system_instruction");
  const first = system === undefined ? [] : [{ ...messageOf(system), role: "system" }];
  return conversationOf([...first, ...contents.map(messageOf)]);
}

function messageOf(content: unknown): Message {
  const parts = fieldOf(content, "parts");
  const list: unknown[] = Array.isArray(parts) ? parts : [parts];
  const has = (part: unknown, ...names: string[]) => names.some((name) => fieldOf(part, name) !== undefined);
  return {
    role: textOf(content, "role") || "user",
    texts: list.filter((part) => has(part, "text")).map((part) => textOf(part, "text")),
    images: list.filter((part) => has(part, "inlineData", "inline_data", "fileData", "file_data")).length,
    hasResult: list.some((part) => has(part, "functionResponse", "function_response")),
  };
}

function toolsOf(body: unknown): Tool[] {
  const list = fieldOf(body, "tools");
  const declared = (tool: unknown): unknown => fieldOf(tool, "functionDeclarations") ?? fieldOf(tool, "function_declarations");
  return (Array.isArray(list) ? list : [])
    .flatMap((tool: unknown) => declared(tool) ?? [])
    .map((tool: unknown) => ({ name: textOf(tool, "name"), schema: fieldOf(tool, "parameters") ?? fieldOf(tool, "parametersJsonSchema") }));
}

function tokensOf({ said }: Told): number {
  return said.reduce((sum, { tokens }) => sum + tokens, 0);
}

function usageOf(told: Told) {
  const { promptTokens, work } = told;
  if (work.plan.usage === "never") return {};
  const tokens = tokensOf(told);
  return {
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: tokens,
      totalTokenCount: promptTokens + tokens,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: promptTokens }],
    },
  };
}

function candidate(index: number, parts: object[], more: object) {
  return { content: { parts, role: "model" }, index, ...more };
}

function calledPart({ tool }: Saying) {
  return { functionCall: { name: tool?.name, args: tool?.input } };
}

function logprobsOf({ config }: Told, saying: Saying, from: number, to: number) {
  if (fieldOf(config, "responseLogprobs") !== true) return {};
  const places = Array.from({ length: to - from }, (_, step) => from + step);
  const shaped = ({ token, logprob }: { token: string; logprob: number }) => ({ token, tokenId: token.length, logProbability: logprob });
  const top = (at: number) => rivalsAt(at, saying.word(at), countOf(config, "logprobs", 0)).map(shaped);
  return {
    avgLogprobs: places.reduce((sum, at) => sum + logprobAt(at), 0) / Math.max(places.length, 1),
    logprobsResult: {
      topCandidates: places.map((at) => ({ candidates: top(at) })),
      chosenCandidates: places.map((at) => shaped({ token: saying.word(at), logprob: logprobAt(at) })),
    },
  };
}

function wholeOf(told: Told) {
  const { model, said, work } = told;
  const candidates = said.map((saying, index) =>
    candidate(index, [saying.tool ? calledPart(saying) : { text: saying.text() }], {
      finishReason: finishReasons[saying.finish],
      ...(!saying.tool && logprobsOf(told, saying, 0, saying.words)),
    }),
  );
  return { candidates, ...usageOf(told), modelVersion: model, responseId: work.id };
}

function* framesOf(told: Told): Generator<Frame> {
  const { model, said, work } = told;
  const frame = (one: object, words: number, more: object = {}): Frame => ({
    data: JSON.stringify({ candidates: [one], ...more, modelVersion: model, responseId: work.id }),
    words,
  });
  for (let at = 0; said.some(({ words }) => at < words); at++) {
    for (const [index, saying] of said.entries()) {
      if (at < saying.words) yield frame(candidate(index, [{ text: saying.word(at) }], logprobsOf(told, saying, at, at + 1)), 1);
    }
  }
  for (const [index, saying] of said.entries()) if (saying.tool) yield frame(candidate(index, [calledPart(saying)], {}), saying.tokens);
  for (const [index, { finish }] of said.entries()) {
    const isLast = index === said.length - 1;
    yield frame(candidate(index, [{ text: "" }], { finishReason: finishReasons[finish] }), 0, isLast ? usageOf(told) : {});
  }
}
