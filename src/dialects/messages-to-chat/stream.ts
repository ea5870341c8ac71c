import type { JsonObject } from "../../core/call.ts";
import type { StreamTranslator } from "../bridge.ts";
import { ChatPieces, type ChatPiece } from "../chat-pieces.ts";
import { parseObject } from "../json-reading.ts";
import { messagesUsage, stopReason } from "./reply.ts";
import type { Mint } from "../mint.ts";
import { sseText } from "../sse-events.ts";
import { streamError } from "../stream-error.ts";

type Opening = Extract<ChatPiece, { is: "open" }>;

/** The chunks of a chat completion as Anthropic's stream. */
export class MessagesStream implements StreamTranslator {
  readonly #asked: JsonObject;
  readonly #mint: Mint;
  readonly #pieces = new ChatPieces();
  readonly #seen = { tools: false, refusal: false };
  #index = -1;
  #kind: Opening["kind"] = "text";
  #state: "new" | "open" | "over" = "new";

  constructor(asked: JsonObject, mint: Mint) {
    this.#asked = asked;
    this.#mint = mint;
  }

  event(_name: string | null, data: string): string {
    if (this.#state === "over") return "";
    if (data === "[DONE]") return this.end();
    const chunk = parseObject(data) ?? {};
    const failed = (chunk.error ?? null) !== null;
    return this.#start() + (failed ? this.#fail(chunk.error) : this.#write(this.#pieces.read(chunk)));
  }

  end(): string {
    if (this.#state === "over") return "";
    const rest = this.#start() + this.#write(this.#pieces.finish());
    this.#state = "over";
    const { finishReason, usage } = this.#pieces;
    const delta = { stop_reason: stopReason(finishReason, this.#seen), stop_sequence: null };
    return rest + say({ type: "message_delta", delta, usage: messagesUsage(usage ?? {}) }) + say({ type: "message_stop" });
  }

  #start(): string {
    if (this.#state !== "new") return "";
    this.#state = "open";
    const message = {
      id: `msg_${this.#mint.id()}`,
      type: "message",
      role: "assistant",
      model: this.#asked.model ?? "",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      // Chat tells the counts at the end only.
      usage: messagesUsage({}),
    };
    return say({ type: "message_start", message }) + say({ type: "ping" });
  }

  #fail(error: unknown): string {
    this.#state = "over";
    const { code, message } = streamError(error);
    return say({ type: "error", error: { type: code === "upstream_unavailable" ? "overloaded_error" : "api_error", message } });
  }

  #write(pieces: ChatPiece[]): string {
    return pieces.map((piece) => this.#event(piece)).join("");
  }

  #event(piece: ChatPiece): string {
    switch (piece.is) {
      case "open":
        return this.#open(piece);
      case "more":
        return say({ type: "content_block_delta", index: this.#index, delta: this.#delta(piece.text) });
      case "close":
        return say({ type: "content_block_stop", index: this.#index });
    }
  }

  #open({ kind, id, name }: Opening): string {
    this.#index++;
    this.#kind = kind;
    if (kind === "tool") this.#seen.tools = true;
    if (kind === "refusal") this.#seen.refusal = true;
    return say({ type: "content_block_start", index: this.#index, content_block: this.#block(kind, id, name) });
  }

  #block(kind: Opening["kind"], id: string, name: string): JsonObject {
    if (kind === "tool") return { type: "tool_use", id: id || `toolu_${this.#mint.id()}`, name, input: {} };
    return kind === "thinking" ? { type: "thinking", thinking: "", signature: "" } : { type: "text", text: "" };
  }

  #delta(text: string): JsonObject {
    if (this.#kind === "tool") return { type: "input_json_delta", partial_json: text };
    return this.#kind === "thinking" ? { type: "thinking_delta", thinking: text } : { type: "text_delta", text };
  }
}

const say = (event: { type: string } & JsonObject): string => sseText(event, event.type);
