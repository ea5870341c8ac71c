import type { JsonObject } from "../../core/call.ts";
import { countOf, isObject, objectOf, objectsOf, present, textOf } from "../json-reading.ts";
import type { Mint } from "../mint.ts";

const finishReasons: Record<string, string> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** Why a chat reply ended, in OpenAI's word for Anthropic's. */
export const finishReason = (stopReason: unknown): string => finishReasons[textOf(stopReason)] ?? "stop";

/** A whole Anthropic message as a chat completion. */
export function chatReply(message: JsonObject, asked: JsonObject, mint: Mint): JsonObject {
  const blocks = objectsOf(message.content);
  const joined = (type: string, field: string): string =>
    blocks.flatMap((block) => (block.type === type ? textOf(block[field]) : [])).join("");
  const calls = blocks.filter((block) => block.type === "tool_use").map((block) => toolCall(block, mint));
  const text = joined("text", "text");
  const reasoning = joined("thinking", "thinking");
  return {
    id: `chatcmpl-${mint.id()}`,
    object: "chat.completion",
    created: Math.floor(mint.nowMs() / 1000),
    model: asked.model ?? message.model ?? "",
    choices: [
      {
        index: 0,
        message: present({
          role: "assistant",
          content: text === "" && calls.length > 0 ? null : text,
          refusal: null,
          reasoning_content: reasoning === "" ? undefined : reasoning,
          tool_calls: calls.length === 0 ? undefined : calls,
        }),
        logprobs: null,
        finish_reason: finishReason(message.stop_reason),
      },
    ],
    usage: chatUsage(objectOf(message.usage)),
  };
}

function toolCall(block: JsonObject, mint: Mint): JsonObject {
  const id = textOf(block.id) || `call_${mint.id()}`;
  return { id, type: "function", function: { name: textOf(block.name), arguments: JSON.stringify(objectOf(block.input)) } };
}

/** Anthropic counts cached input apart, OpenAI as part of the prompt. */
export function chatUsage(usage: JsonObject): JsonObject {
  const cached = countOf(usage.cache_read_input_tokens);
  const written = countOf(usage.cache_creation_input_tokens);
  const prompt = countOf(usage.input_tokens) + cached + written;
  const completion = countOf(usage.output_tokens);
  const details = isObject(usage.output_tokens_details)
    ? { reasoning_tokens: countOf(usage.output_tokens_details.thinking_tokens) }
    : undefined;
  return present({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    completion_tokens_details: details,
  });
}
