import type { Call, JsonObject } from "../../core/call.ts";
import type { Mint } from "../../dialects/mint.ts";
import { sseText } from "../../dialects/sse-events.ts";
import { replyHead, toolCallOf, usageOf, type ToolCall, type Used } from "./chat-reply.ts";

/** Writes the stream of a chat completion, for upstreams that have another. */
export class ChatChunks {
  readonly #head: JsonObject;
  /** How many tools each choice that has begun calls. */
  readonly #tools = new Map<number, number>();

  constructor(call: Call, mint: Mint) {
    this.#head = replyHead(call, "chat.completion.chunk", "chatcmpl-", mint);
  }

  /** Some more of a choice. */
  delta(index: number, delta: JsonObject, logprobs: readonly JsonObject[] | null = null): string {
    return this.#begin(index) + this.#chunk(index, delta, null, logprobs && { content: logprobs, refusal: null });
  }

  /** One whole call of a tool. */
  tool(index: number, call: ToolCall): string {
    const beginning = this.#begin(index);
    const at = this.#tools.get(index) ?? 0;
    this.#tools.set(index, at + 1);
    return beginning + this.#chunk(index, { tool_calls: [{ index: at, ...toolCallOf(call) }] });
  }

  callsTools(index: number): boolean {
    return (this.#tools.get(index) ?? 0) > 0;
  }

  /** The end of every choice, the usage where it is known, and the end of the stream. */
  end(finishes: ReadonlyMap<number, string>, used: Used | null): string {
    let text = "";
    for (const [index, reason] of finishes) text += this.#begin(index) + this.#chunk(index, {}, reason);
    if (used !== null) text += sseText({ ...this.#head, choices: [], usage: usageOf(used) });
    return text + sseText("[DONE]");
  }

  #begin(index: number): string {
    if (this.#tools.has(index)) return "";
    this.#tools.set(index, 0);
    return this.#chunk(index, { role: "assistant", content: "" });
  }

  #chunk(index: number, delta: JsonObject, finish: string | null = null, logprobs: JsonObject | null = null): string {
    return sseText({ ...this.#head, choices: [{ index, delta, logprobs, finish_reason: finish }] });
  }
}
