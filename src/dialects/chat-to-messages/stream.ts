import type { JsonObject } from "../../core/call.ts";
import type { StreamTranslator } from "../bridge.ts";
import { chatUsage, finishReason } from "./reply.ts";
import { objectOf, parseObject, textOf } from "../json-reading.ts";
import type { Mint } from "../mint.ts";
import { sseText } from "../sse-events.ts";
import { streamError } from "../stream-error.ts";

type ToolBlock = { index: number; input: JsonObject; written: boolean };

/** Anthropic's stream as chunks of a chat completion, always with usage before the end. */
export class ChatStream implements StreamTranslator {
  readonly #head: JsonObject;
  readonly #mint: Mint;
  readonly #tools = new Map<unknown, ToolBlock>();
  #toolCount = 0;
  #usage: JsonObject = {};
  #stopReason: unknown = null;
  #state: "new" | "open" | "over" = "new";

  constructor(asked: JsonObject, mint: Mint) {
    this.#mint = mint;
    const created = Math.floor(mint.nowMs() / 1000);
    this.#head = { id: `chatcmpl-${mint.id()}`, object: "chat.completion.chunk", created, model: asked.model ?? "" };
  }

  event(name: string | null, data: string): string {
    return this.#state === "over" ? "" : this.#read({ type: name, ...parseObject(data) });
  }

  end(): string {
    if (this.#state === "over") return "";
    const opening = this.#open();
    this.#state = "over";
    const last = this.#chunk({}, finishReason(this.#stopReason));
    return opening + last + sseText({ ...this.#head, choices: [], usage: chatUsage(this.#usage) }) + sseText("[DONE]");
  }

  #read(event: JsonObject): string {
    switch (event.type) {
      case "message_start":
        this.#note(objectOf(event.message).usage);
        return this.#open();
      case "content_block_start":
        return this.#open() + this.#startBlock(event.index, objectOf(event.content_block));
      case "content_block_delta":
        return this.#open() + this.#continueBlock(event.index, objectOf(event.delta));
      case "content_block_stop":
        return this.#stopBlock(event.index);
      case "message_delta":
        this.#note(event.usage);
        this.#stopReason = objectOf(event.delta).stop_reason ?? this.#stopReason;
        return "";
      case "message_stop":
        return this.end();
      case "error":
        this.#state = "over";
        return sseText({ error: { type: "server_error", param: null, ...streamError(event.error) } });
      default:
        return "";
    }
  }

  #open(): string {
    if (this.#state !== "new") return "";
    this.#state = "open";
    return this.#chunk({ role: "assistant", content: "" });
  }

  #startBlock(at: unknown, block: JsonObject): string {
    if (block.type === "text") return this.#some("content", block.text);
    if (block.type === "thinking") return this.#some("reasoning_content", block.thinking);
    if (block.type !== "tool_use") return "";
    const tool = { index: this.#toolCount++, input: objectOf(block.input), written: false };
    this.#tools.set(at, tool);
    const id = textOf(block.id) || `call_${this.#mint.id()}`;
    return this.#chunk({
      tool_calls: [{ index: tool.index, id, type: "function", function: { name: textOf(block.name), arguments: "" } }],
    });
  }

  #continueBlock(at: unknown, delta: JsonObject): string {
    if (delta.type === "text_delta") return this.#some("content", delta.text);
    if (delta.type === "thinking_delta") return this.#some("reasoning_content", delta.thinking);
    const tool = this.#tools.get(at);
    return delta.type === "input_json_delta" && tool !== undefined ? this.#arguments(tool, textOf(delta.partial_json)) : "";
  }

  // A call without arguments streams none there, while here they are "{}"; some servers say them whole at the start.
  #stopBlock(at: unknown): string {
    const tool = this.#tools.get(at);
    this.#tools.delete(at);
    return tool === undefined || tool.written ? "" : this.#arguments(tool, JSON.stringify(tool.input));
  }

  #arguments(tool: ToolBlock, text: string): string {
    if (text === "") return "";
    tool.written = true;
    return this.#chunk({ tool_calls: [{ index: tool.index, function: { arguments: text } }] });
  }

  #some(field: string, value: unknown): string {
    return textOf(value) === "" ? "" : this.#chunk({ [field]: value });
  }

  #chunk(delta: JsonObject, finish: string | null = null): string {
    return sseText({ ...this.#head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  }

  /** Later counts replace earlier ones; null and absent ones do not. */
  #note(usage: unknown): void {
    for (const [name, count] of Object.entries(objectOf(usage))) {
      if (count !== null) this.#usage[name] = count;
    }
  }
}
