/** Replies in OpenAI's words, for upstreams that have others. */
import type { Call, JsonObject } from "../../core/call.ts";
import { present } from "../../dialects/json-reading.ts";
import type { Mint } from "../../dialects/mint.ts";

export type ToolCall = { id: string; name: string; input: JsonObject; extra?: JsonObject };

/** One choice of a chat reply. */
export type Said = {
  index: number;
  text: string;
  reasoning: string;
  calls: readonly ToolCall[];
  /** Pictures as data URIs. */
  images?: readonly string[];
  finish: string;
  logprobs: readonly JsonObject[] | null;
};

export type Used = { prompt: number; completion: number; cached?: number; reasoning?: number };

export function chatReply(call: Call, said: readonly Said[], used: Used | null, mint: Mint): JsonObject {
  const usage = used === null ? undefined : usageOf(used);
  return present({ ...replyHead(call, "chat.completion", "chatcmpl-", mint), choices: said.map(choiceOf), usage });
}

/** What a reply and every chunk of it begin with. */
export function replyHead(call: Call, object: string, prefix: string, mint: Mint): JsonObject {
  return { id: prefix + mint.id(), object, created: Math.floor(mint.nowMs() / 1000), model: call.body.model ?? call.model };
}

export function usageOf({ prompt, completion, cached, reasoning }: Used): JsonObject {
  return present({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
    completion_tokens_details: reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
  });
}

export function toolCallOf({ id, name, input, extra }: ToolCall): JsonObject {
  return present({ id, type: "function", function: { name, arguments: JSON.stringify(input) }, extra_content: extra });
}

export const imagePartOf = (url: string): JsonObject => ({ type: "image_url", image_url: { url } });

function choiceOf({ index, text, reasoning, calls, images = [], finish, logprobs }: Said): JsonObject {
  return {
    index,
    message: present({
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      refusal: null,
      reasoning_content: reasoning === "" ? undefined : reasoning,
      tool_calls: calls.length === 0 ? undefined : calls.map(toolCallOf),
      images: images.length === 0 ? undefined : images.map(imagePartOf),
    }),
    logprobs: logprobs && { content: logprobs, refusal: null },
    finish_reason: finish,
  };
}
