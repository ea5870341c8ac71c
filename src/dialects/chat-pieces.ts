/** The stream of a chat completion as parts one after the other, whatever order its pieces came in. */
import type { JsonObject } from "../core/call.ts";
import { JsonEnd } from "./json-end.ts";
import { isObject, listOf, objectOf, objectsOf, textOf } from "./json-reading.ts";

export type PartKind = "text" | "refusal" | "thinking" | "tool";

/** Parts never overlap: `more` and `close` belong to the last `open`. */
export type ChatPiece =
  | { is: "open"; kind: PartKind; id: string; name: string }
  | { is: "more"; text: string; logprobs: readonly unknown[] }
  | { is: "close" };

type Part = { kind: PartKind; id: string; name: string; opened: boolean; held: string; logprobs: unknown[]; end: JsonEnd };

const maxHeld = 8 * 1024 * 1024;

/** Reads chunks and gives pieces; only what comes for a later part before an earlier tool call is complete is held back. */
export class ChatPieces {
  readonly #queue: Part[] = [];
  readonly #tools = new Map<number, Part>();
  #held = 0;
  finishReason: unknown = null;
  usage: JsonObject | null = null;

  read(chunk: JsonObject): ChatPiece[] {
    if (isObject(chunk.usage)) this.usage = chunk.usage;
    const choice = objectsOf(chunk.choices).find(({ index }) => (index ?? 0) === 0);
    if (choice === undefined) return [];
    this.finishReason = choice.finish_reason ?? this.finishReason;
    const delta = objectOf(choice.delta);
    return [
      ...this.#plain("thinking", textOf(delta.reasoning_content) || textOf(delta.reasoning), []),
      ...this.#plain("text", chatText(delta.content), listOf(objectOf(choice.logprobs).content)),
      ...this.#plain("refusal", textOf(delta.refusal), []),
      ...objectsOf(delta.tool_calls).flatMap((call, at) => this.#tool(call, at)),
    ];
  }

  /** Closes what is open, and gives what was held back. */
  finish(): ChatPiece[] {
    return this.#advance(true);
  }

  #plain(kind: PartKind, text: string, logprobs: readonly unknown[]): ChatPiece[] {
    if (text === "") return [];
    const last = this.#queue.at(-1);
    return this.#add(last?.kind === kind ? last : this.#enqueue(kind), text, logprobs);
  }

  #tool(call: JsonObject, at: number): ChatPiece[] {
    const index = typeof call.index === "number" ? call.index : at;
    const { name, arguments: given } = objectOf(call.function);
    const id = textOf(call.id);
    let part = this.#tools.get(index);
    // Some servers give every call the same index and a whole call at a time.
    const another = part !== undefined && id !== "" && part.id !== "" && id !== part.id && textOf(name) !== "";
    if (part === undefined || another) {
      part = this.#enqueue("tool");
      this.#tools.set(index, part);
    }
    part.id ||= id;
    part.name ||= textOf(name);
    return this.#add(part, isObject(given) ? JSON.stringify(given) : textOf(given), []);
  }

  #enqueue(kind: PartKind): Part {
    const part: Part = { kind, id: "", name: "", opened: false, held: "", logprobs: [], end: new JsonEnd() };
    this.#queue.push(part);
    return part;
  }

  #add(part: Part, text: string, logprobs: readonly unknown[]): ChatPiece[] {
    if (part.kind === "tool") part.end.feed(text);
    if (part.opened) return part === this.#queue[0] && text !== "" ? [{ is: "more", text, logprobs }, ...this.#advance(false)] : [];
    part.held += text;
    part.logprobs.push(...logprobs);
    this.#held += text.length;
    return this.#advance(false);
  }

  #advance(last: boolean): ChatPiece[] {
    const pieces: ChatPiece[] = [];
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      if (!head.opened && (head.kind !== "tool" || head.name !== "" || last)) pieces.push(...this.#open(head));
      const done = last || (this.#queue.length > 1 && (head.kind !== "tool" || head.end.reached || this.#held > maxHeld));
      if (!head.opened || !done) break;
      pieces.push({ is: "close" });
      this.#queue.shift();
    }
    return pieces;
  }

  #open(part: Part): ChatPiece[] {
    const { kind, id, name, held, logprobs } = part;
    part.opened = true;
    part.held = "";
    part.logprobs = [];
    this.#held -= held.length;
    const opening: ChatPiece = { is: "open", kind, id, name };
    return held === "" ? [opening] : [opening, { is: "more", text: held, logprobs }];
  }
}

/** The text of a chat message's content, which some servers give in parts. */
export function chatText(content: unknown): string {
  return typeof content === "string"
    ? content
    : objectsOf(content)
        .map((part) => textOf(part.text))
        .join("");
}
