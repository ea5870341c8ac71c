import type { JsonObject } from "../../core/call.ts";
import { dataUri } from "../../dialects/data-uri.ts";
import { countOf, isObject, objectOf, objectsOf, textOf } from "../../dialects/json-reading.ts";
import type { Mint } from "../../dialects/mint.ts";
import type { Said, ToolCall, Used } from "../call/chat-reply.ts";

const finishes: Readonly<Record<string, string>> = {
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
};

/** Why a candidate ended, in OpenAI's word. */
export function finishOf(reason: unknown, callsTools: boolean): string {
  const word = finishes[textOf(reason)] ?? "stop";
  return word === "stop" && callsTools ? "tool_calls" : word;
}

/** Whether the prompt itself was refused, so that nobody answers. */
export function isBlocked(value: JsonObject): boolean {
  return objectsOf(value.candidates).length === 0 && textOf(objectOf(value.promptFeedback).blockReason) !== "";
}

/** The choices of a whole reply. */
export function readCandidates(value: JsonObject, mint: Mint): Said[] {
  if (isBlocked(value)) return [{ index: 0, text: "", reasoning: "", calls: [], finish: "content_filter", logprobs: null }];
  const candidates = objectsOf(value.candidates);
  if (candidates.length === 0) throw new Error("the upstream's answer has no candidates");
  return candidates.map((candidate, at) => {
    const parts = partsOf(candidate);
    const texts = (thought: boolean) => parts.flatMap((part) => ((part.thought === true) === thought ? textOf(part.text) : [])).join("");
    const calls = parts.flatMap((part) => toolCallIn(part, mint) ?? []);
    const images = parts.flatMap((part) => imageIn(part) ?? []);
    const finish = finishOf(candidate.finishReason, calls.length > 0);
    return {
      index: indexOf(candidate, at),
      text: texts(false),
      reasoning: texts(true),
      calls,
      images,
      finish,
      logprobs: logprobsOf(candidate),
    };
  });
}

export const partsOf = (candidate: JsonObject): readonly JsonObject[] => objectsOf(objectOf(candidate.content).parts);

export const indexOf = (candidate: JsonObject, at: number): number => (typeof candidate.index === "number" ? candidate.index : at);

/** The call of a tool that a part makes; null where it makes none. Its signature goes along, for the client to send back. */
export function toolCallIn(part: JsonObject, mint: Mint): ToolCall | null {
  if (!isObject(part.functionCall)) return null;
  const { id, name, args } = part.functionCall;
  const call = { id: textOf(id) || `call_${mint.id()}`, name: textOf(name), input: objectOf(args) };
  const signature = textOf(part.thoughtSignature);
  return signature === "" ? call : { ...call, extra: { google: { thought_signature: signature } } };
}

/** A picture of the reply as a data URI. */
export function imageIn(part: JsonObject): string | null {
  const { mimeType, data } = objectOf(part.inlineData);
  return part.thought !== true && textOf(mimeType).startsWith("image/") ? dataUri(textOf(mimeType), textOf(data)) : null;
}

export function logprobsOf(candidate: JsonObject): JsonObject[] | null {
  const { chosenCandidates, topCandidates } = objectOf(candidate.logprobsResult);
  if (!Array.isArray(chosenCandidates)) return null;
  const tops = objectsOf(topCandidates);
  return objectsOf(chosenCandidates).map((chosen, at) => ({
    ...likelihoodOf(chosen),
    top_logprobs: objectsOf(tops[at]?.candidates).map(likelihoodOf),
  }));
}

function likelihoodOf({ token, logProbability }: JsonObject): JsonObject {
  return { token: textOf(token), logprob: typeof logProbability === "number" ? logProbability : 0, bytes: [...Buffer.from(textOf(token))] };
}

/** What was used; null where it is not said. */
export function readUsage(value: JsonObject): Used | null {
  if (!isObject(value.usageMetadata)) return null;
  const counts = value.usageMetadata;
  const reasoning = countOf(counts.thoughtsTokenCount);
  return {
    prompt: countOf(counts.promptTokenCount) + countOf(counts.toolUsePromptTokenCount),
    completion: countOf(counts.candidatesTokenCount) + reasoning,
    cached: countOf(counts.cachedContentTokenCount),
    reasoning,
  };
}
