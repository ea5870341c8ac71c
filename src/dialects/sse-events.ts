import { BrokenReply } from "../core/call.ts";

export type SseEvent = { event: string | null; data: string };

const defaultMaxLength = 8 * 1024 * 1024;

/** Server-sent events out of bytes that may be cut anywhere; throws a BrokenReply when one event grows above the limit. */
export class SseEvents {
  readonly #maxLength: number;
  readonly #decoder = new TextDecoder();
  #line = "";
  #name: string | null = null;
  #data: string | null = null;
  #afterReturn = false;

  constructor(maxLength = defaultMaxLength) {
    this.#maxLength = maxLength;
  }

  /** The events that this piece completes. */
  push(piece: Uint8Array | string): SseEvent[] {
    return this.#read(typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true }));
  }

  /** At the end of the stream: an event that lacks only its empty line. */
  end(): SseEvent[] {
    return this.#read(`${this.#decoder.decode()}\n\n`);
  }

  #read(text: string): SseEvent[] {
    const found: SseEvent[] = [];
    if (text === "") return found;
    // A line feed here belongs to the carriage return that ended the last piece.
    let from = this.#afterReturn && text.startsWith("\n") ? 1 : 0;
    this.#afterReturn = text.endsWith("\r");
    const lineEnd = /\r\n|\n|\r/g;
    lineEnd.lastIndex = from;
    for (let end = lineEnd.exec(text); end !== null; end = lineEnd.exec(text)) {
      this.#add(text.slice(from, end.index));
      this.#takeLine(found);
      from = lineEnd.lastIndex;
    }
    this.#add(text.slice(from));
    return found;
  }

  #add(text: string): void {
    this.#line += text;
    if (this.#line.length + (this.#data?.length ?? 0) <= this.#maxLength) return;
    throw new BrokenReply({ class: "transient", cause: `an event of the stream is longer than ${this.#maxLength} characters` });
  }

  #takeLine(found: SseEvent[]): void {
    const line = this.#line;
    this.#line = "";
    if (line !== "") return this.#takeField(line);
    if (this.#data !== null) found.push({ event: this.#name, data: this.#data });
    this.#name = null;
    this.#data = null;
  }

  #takeField(line: string): void {
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    if (field === "event") this.#name = value === "" ? null : value;
  }
}

/** One event as text; data other than text is written as JSON. */
export function sseText(data: unknown, name?: string): string {
  const text = typeof data === "string" ? data.replaceAll("\n", "\ndata: ") : JSON.stringify(data);
  const lines = `data: ${text}\n\n`;
  return name === undefined ? lines : `event: ${name}\n${lines}`;
}
