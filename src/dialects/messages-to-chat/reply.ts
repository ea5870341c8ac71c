import type { JsonObject } from "../../core/call.ts";
import { chatText } from "../chat-pieces.ts";
import { countOf, isObject, objectOf, objectsOf, parseObject, textOf } from "../json-reading.ts";
import type { Mint } from "../mint.ts";

const stopReasons: Record<string, string> = {
  length: "max_tokens",
  content_filter: "refusal",
  tool_calls: "tool_use",
  function_call: "tool_use",
};

/** Why a message ended, in Anthropic's word for OpenAI's; some servers end a call of tools with a plain "stop". */
export function stopReason(finish: unknown, seen: { tools: boolean; refusal: boolean }): string {
  const reason = seen.refusal ? "refusal" : (stopReasons[textOf(finish)] ?? "end_turn");
  return reason === "end_turn" && seen.tools ? "tool_use" : reason;
}

/** A whole chat completion as one of Anthropic's messages. */
export function messagesReply(completion: JsonObject, asked: JsonObject, mint: Mint): JsonObject {
  const choice = objectsOf(completion.choices)[0] ?? {};
  const message = objectOf(choice.message);
  const calls = objectsOf(message.tool_calls);
  const refusal = textOf(message.refusal);
  const thinking = textOf(message.reasoning_content) || textOf(message.reasoning);
  return {
    id: `msg_${mint.id()}`,
    type: "message",
    role: "assistant",
    model: asked.model ?? completion.model ?? "",
    content: [
      ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: "" }]),
      ...textBlock(chatText(message.content)),
      ...textBlock(refusal),
      ...calls.flatMap((call) => callBlocks(call, mint)),
    ],
    stop_reason: stopReason(choice.finish_reason, { tools: calls.length > 0, refusal: refusal !== "" }),
    stop_sequence: null,
    usage: messagesUsage(objectOf(completion.usage)),
  };
}

const textBlock = (text: string): JsonObject[] => (text === "" ? [] : [{ type: "text", text }]);

function callBlocks(call: JsonObject, mint: Mint): JsonObject[] {
  const { name, arguments: given } = objectOf(call.function);
  const input = isObject(given) ? given : parseObject(textOf(given));
  const block = { type: "tool_use", id: textOf(call.id) || `toolu_${mint.id()}`, name: textOf(name), input: input ?? {} };
  // Arguments that are no JSON object are shown as they came, rather than lost.
  return input === null ? [...textBlock(textOf(given)), block] : [block];
}

/** OpenAI counts cached input as part of the prompt, Anthropic apart. */
export function messagesUsage(usage: JsonObject): JsonObject {
  const details = objectOf(usage.prompt_tokens_details);
  const cached = countOf(details.cached_tokens);
  const written = countOf(details.cache_write_tokens);
  return {
    input_tokens: Math.max(0, countOf(usage.prompt_tokens) - cached - written),
    output_tokens: countOf(usage.completion_tokens),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
  };
}
