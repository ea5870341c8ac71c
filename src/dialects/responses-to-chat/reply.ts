import type { JsonObject } from "../../core/call.ts";
import { chatText, type PartKind } from "../chat-pieces.ts";
import { countOf, isObject, listOf, objectOf, objectsOf, textOf } from "../json-reading.ts";
import type { Mint } from "../mint.ts";
import { itemPrefix, outputItem, type Item } from "./items.ts";

/** What a response says of itself besides what the request set. */
export type ResponseState = {
  id: string;
  createdAt: number;
  status: "in_progress" | "completed" | "incomplete" | "failed";
  completedAt?: number;
  reason?: string | undefined;
  error?: { code: string; message: string };
  output: readonly JsonObject[];
  usage: JsonObject | null;
};

/** A whole chat completion as a response. */
export function responsesReply(completion: JsonObject, asked: JsonObject, mint: Mint): JsonObject {
  const choice = objectsOf(completion.choices)[0] ?? {};
  const reason = incompleteReason(choice.finish_reason);
  const items = itemsOf(objectOf(choice.message), listOf(objectOf(choice.logprobs).content), mint);
  const now = Math.floor(mint.nowMs() / 1000);
  return responseObject(asked, {
    id: `resp_${mint.id()}`,
    createdAt: countOf(completion.created) || now,
    status: reason === undefined ? "completed" : "incomplete",
    completedAt: now,
    reason,
    output: items.map((item, at) => outputItem(item, reason !== undefined && at === items.length - 1 ? "incomplete" : "completed")),
    usage: responsesUsage(completion.usage),
  });
}

function itemsOf(message: JsonObject, logprobs: readonly unknown[], mint: Mint): Item[] {
  const item = (kind: PartKind, text: string, known: Partial<Item> = {}): Item[] =>
    text === "" ? [] : [{ kind, id: `${itemPrefix[kind]}_${mint.id()}`, callId: "", name: "", text, logprobs: [], ...known }];
  return [
    ...item("thinking", textOf(message.reasoning_content) || textOf(message.reasoning)),
    ...item("text", chatText(message.content), { logprobs }),
    ...item("refusal", textOf(message.refusal)),
    ...objectsOf(message.tool_calls).flatMap((call) => {
      const { name, arguments: given } = objectOf(call.function);
      const text = isObject(given) ? JSON.stringify(given) : textOf(given) || "{}";
      return item("tool", text, { callId: textOf(call.id) || `call_${mint.id()}`, name: textOf(name) });
    }),
  ];
}

/** Why a response is not whole, or undefined when it is. */
export function incompleteReason(finish: unknown): string | undefined {
  if (finish === "length") return "max_output_tokens";
  return finish === "content_filter" ? "content_filter" : undefined;
}

export function responsesUsage(usage: unknown): JsonObject | null {
  if (!isObject(usage)) return null;
  const prompt = objectOf(usage.prompt_tokens_details);
  const input = countOf(usage.prompt_tokens);
  const output = countOf(usage.completion_tokens);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: countOf(prompt.cached_tokens), cache_write_tokens: countOf(prompt.cache_write_tokens) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: countOf(objectOf(usage.completion_tokens_details).reasoning_tokens) },
    total_tokens: input + output,
  };
}

/** The response with the settings that the request made, or their defaults. */
export function responseObject(asked: JsonObject, state: ResponseState): JsonObject {
  const { effort = null, summary = null } = objectOf(asked.reasoning);
  return {
    id: state.id,
    object: "response",
    created_at: state.createdAt,
    completed_at: state.completedAt ?? null,
    status: state.status,
    background: false,
    error: state.error ?? null,
    incomplete_details: state.reason === undefined ? null : { reason: state.reason },
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    max_tool_calls: asked.max_tool_calls ?? null,
    metadata: asked.metadata ?? {},
    model: asked.model ?? "",
    output: state.output,
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: asked.prompt_cache_key ?? null,
    reasoning: { effort, summary },
    safety_identifier: asked.safety_identifier ?? null,
    service_tier: "default",
    store: false,
    temperature: asked.temperature ?? 1,
    text: { format: { type: "text" }, ...objectOf(asked.text) },
    tool_choice: asked.tool_choice ?? "auto",
    tools: asked.tools ?? [],
    top_logprobs: asked.top_logprobs ?? 0,
    top_p: asked.top_p ?? 1,
    truncation: asked.truncation ?? "disabled",
    usage: state.usage,
    user: asked.user ?? null,
  };
}
