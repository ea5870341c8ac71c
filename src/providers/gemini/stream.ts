import type { Call, JsonObject } from "../../core/call.ts";
import type { StreamTranslator } from "../../dialects/bridge.ts";
import { objectsOf, textOf } from "../../dialects/json-reading.ts";
import type { Mint } from "../../dialects/mint.ts";
import { cutShort, readStreamed } from "../call/broken-stream.ts";
import { ChatChunks } from "../call/chat-chunks.ts";
import { imagePartOf, type Used } from "../call/chat-reply.ts";
import { finishOf, imageIn, indexOf, isBlocked, logprobsOf, partsOf, readUsage, toolCallIn } from "./reply.ts";

/** The stream of generateContent as chunks of a chat completion. */
export class GeminiStream implements StreamTranslator {
  readonly #chunks: ChatChunks;
  readonly #mint: Mint;
  readonly #finishes = new Map<number, string>();
  #used: Used | null = null;

  constructor(call: Call, mint: Mint) {
    this.#chunks = new ChatChunks(call, mint);
    this.#mint = mint;
  }

  event(_name: string | null, data: string): string {
    const value = readStreamed(data);
    this.#used = readUsage(value) ?? this.#used;
    if (isBlocked(value)) this.#finishes.set(0, "content_filter");
    return objectsOf(value.candidates)
      .map((candidate, at) => this.#read(candidate, indexOf(candidate, at)))
      .join("");
  }

  /** Nothing in their stream marks its end, so the reasons to finish wait for it. */
  end(): string {
    if (this.#finishes.size === 0) throw cutShort();
    return this.#chunks.end(this.#finishes, this.#used);
  }

  #read(candidate: JsonObject, index: number): string {
    let logprobs = logprobsOf(candidate);
    let text = "";
    for (const part of partsOf(candidate)) {
      const said = textOf(part.text);
      const call = toolCallIn(part, this.#mint);
      const image = imageIn(part);
      if (call !== null) text += this.#chunks.tool(index, call);
      if (image !== null) text += this.#chunks.delta(index, { images: [imagePartOf(image)] });
      if (said === "") continue;
      if (part.thought === true) text += this.#chunks.delta(index, { reasoning_content: said });
      else {
        text += this.#chunks.delta(index, { content: said }, logprobs);
        logprobs = null;
      }
    }
    if (textOf(candidate.finishReason) !== "") this.#finishes.set(index, finishOf(candidate.finishReason, this.#chunks.callsTools(index)));
    return text;
  }
}
