import type { JsonObject } from "../../core/call.ts";
import type { StreamTranslator } from "../bridge.ts";
import { ChatPieces, type ChatPiece, type PartKind } from "../chat-pieces.ts";
import { parseObject } from "../json-reading.ts";
import type { Mint } from "../mint.ts";
import { contentPart, itemPrefix, outputItem, type Item, type ItemStatus } from "./items.ts";
import { incompleteReason, responseObject, responsesUsage, type ResponseState } from "./reply.ts";
import { sseText } from "../sse-events.ts";
import { streamError } from "../stream-error.ts";

/** The last events repeat the whole output; beyond this length the rest is left out of them. */
const defaultMaxKept = 32 * 1024 * 1024;

/** The words of the events inside an item: what surrounds its content, what adds to it, and the field that ends with it whole. */
const eventWords: Record<PartKind, { part: string | null; content: string; field: string; at: string | null }> = {
  text: { part: "content_part", content: "output_text", field: "text", at: "content_index" },
  refusal: { part: "content_part", content: "refusal", field: "refusal", at: "content_index" },
  thinking: { part: "reasoning_summary_part", content: "reasoning_summary_text", field: "text", at: "summary_index" },
  tool: { part: null, content: "function_call_arguments", field: "arguments", at: null },
};

/** The chunks of a chat completion as the events of a response. */
export class ResponsesStream implements StreamTranslator {
  readonly #asked: JsonObject;
  readonly #mint: Mint;
  readonly #maxKept: number;
  readonly #state: ResponseState;
  readonly #pieces = new ChatPieces();
  readonly #output: JsonObject[] = [];
  #item: Item | null = null;
  #logprobs: unknown[] = [];
  #kept = 0;
  #sequence = 0;
  #phase: "new" | "open" | "over" = "new";

  constructor(asked: JsonObject, mint: Mint, maxKept = defaultMaxKept) {
    this.#asked = asked;
    this.#mint = mint;
    this.#maxKept = maxKept;
    const createdAt = Math.floor(mint.nowMs() / 1000);
    this.#state = { id: `resp_${mint.id()}`, createdAt, status: "in_progress", output: [], usage: null };
  }

  event(_name: string | null, data: string): string {
    if (this.#phase === "over") return "";
    if (data === "[DONE]") return this.end();
    const chunk = parseObject(data) ?? {};
    if ((chunk.error ?? null) !== null) return this.#start() + this.#fail(chunk.error);
    return this.#start() + this.#write(this.#pieces.read(chunk), "completed");
  }

  end(): string {
    if (this.#phase === "over") return "";
    const reason = incompleteReason(this.#pieces.finishReason);
    const status = reason === undefined ? "completed" : "incomplete";
    const rest = this.#start() + this.#write(this.#pieces.finish(), status);
    return rest + this.#finish({ status, reason });
  }

  #start(): string {
    if (this.#phase !== "new") return "";
    this.#phase = "open";
    return this.#lifecycle("created", this.#state) + this.#lifecycle("in_progress", this.#state);
  }

  #fail(error: unknown): string {
    const { code, message } = streamError(error);
    return this.#finish({
      status: "failed",
      error: { code: code === "upstream_unavailable" ? "rate_limit_exceeded" : "server_error", message },
    });
  }

  #finish(ending: Pick<ResponseState, "status" | "reason" | "error">): string {
    this.#phase = "over";
    const completedAt = Math.floor(this.#mint.nowMs() / 1000);
    const usage = responsesUsage(this.#pieces.usage);
    return this.#lifecycle(ending.status, { ...this.#state, ...ending, completedAt, output: this.#output, usage });
  }

  #lifecycle(word: string, state: ResponseState): string {
    return this.#say(word, { response: responseObject(this.#asked, state) });
  }

  #write(pieces: ChatPiece[], status: ItemStatus): string {
    return pieces.map((piece, at) => this.#event(piece, at === pieces.length - 1 ? status : "completed")).join("");
  }

  #event(piece: ChatPiece, status: ItemStatus): string {
    if (piece.is === "open") return this.#open(piece.kind, piece.id, piece.name);
    if (this.#item === null) return "";
    return piece.is === "more" ? this.#more(this.#item, piece.text, piece.logprobs) : this.#close(this.#item, status);
  }

  #open(kind: PartKind, callId: string, name: string): string {
    const id = `${itemPrefix[kind]}_${this.#mint.id()}`;
    this.#logprobs = [];
    this.#item = { kind, id, callId: kind === "tool" ? callId || `call_${this.#mint.id()}` : "", name, text: "", logprobs: this.#logprobs };
    const added = this.#say("output_item.added", { output_index: this.#output.length, item: outputItem(this.#item, "in_progress") });
    return added + this.#part(this.#item, "added");
  }

  #more(item: Item, text: string, logprobs: readonly unknown[]): string {
    this.#keep(item, text, logprobs);
    const { content } = eventWords[item.kind];
    return this.#say(`${content}.delta`, { ...this.#place(item), delta: text, ...(item.kind === "text" ? { logprobs } : {}) });
  }

  #close(item: Item, status: ItemStatus): string {
    const { content, field } = eventWords[item.kind];
    const logprobs = item.kind === "text" ? { logprobs: item.logprobs } : {};
    const done = this.#say(`${content}.done`, { ...this.#place(item), [field]: item.text, ...logprobs }) + this.#part(item, "done");
    const whole = outputItem(item, status);
    const itemDone = this.#say("output_item.done", { output_index: this.#output.length, item: whole });
    this.#output.push(whole);
    this.#item = null;
    return done + itemDone;
  }

  #part(item: Item, word: "added" | "done"): string {
    const { part } = eventWords[item.kind];
    return part === null ? "" : this.#say(`${part}.${word}`, { ...this.#place(item), part: contentPart(item) });
  }

  #place(item: Item): JsonObject {
    const { at } = eventWords[item.kind];
    return { item_id: item.id, output_index: this.#output.length, ...(at === null ? {} : { [at]: 0 }) };
  }

  #keep(item: Item, text: string, logprobs: readonly unknown[]): void {
    const room = Math.max(0, this.#maxKept - this.#kept);
    item.text += text.slice(0, room);
    this.#kept += text.length;
    if (logprobs.length === 0 || room === 0) return;
    this.#logprobs.push(...logprobs);
    this.#kept += JSON.stringify(logprobs).length;
  }

  #say(word: string, fields: JsonObject): string {
    const type = `response.${word}`;
    return sseText({ type, sequence_number: this.#sequence++, ...fields }, type);
  }
}
