import type { JsonObject } from "../../core/call.ts";
import type { PartKind } from "../chat-pieces.ts";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** One item of a response's output, whole or so far as it is known. */
export type Item = { kind: PartKind; id: string; callId: string; name: string; text: string; logprobs: readonly unknown[] };

export const itemPrefix: Record<PartKind, string> = { text: "msg", refusal: "msg", thinking: "rs", tool: "fc" };

/** The item as Responses show it; while it is in progress nothing is inside. */
export function outputItem(item: Item, status: ItemStatus): JsonObject {
  const { id, kind, name } = item;
  if (kind === "tool") return { id, type: "function_call", status, call_id: item.callId, name, arguments: item.text };
  const parts = status === "in_progress" ? [] : [contentPart(item)];
  if (kind === "thinking") return { id, type: "reasoning", status, summary: parts };
  return { id, type: "message", status, role: "assistant", content: parts };
}

/** What stands inside an item other than a call. */
export function contentPart({ kind, text, logprobs }: Item): JsonObject {
  if (kind === "thinking") return { type: "summary_text", text };
  return kind === "refusal" ? { type: "refusal", refusal: text } : { type: "output_text", text, annotations: [], logprobs };
}
