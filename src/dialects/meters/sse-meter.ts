import { BrokenReply, type JsonObject } from "../../core/call.ts";
import type { StreamMeter } from "../../core/meter.ts";
import type { Amounts, Measured } from "../../core/pricing.ts";
import { countTokens } from "../../kit/token-count.ts";
import { parseObject } from "../json-reading.ts";
import { SseEvents, sseText, type SseEvent } from "../sse-events.ts";

/** What a meter must know of a dialect's events. */
export type EventWords = {
  /** What an event tells about a failure of the whole reply; null for every other event. */
  failure(value: JsonObject): JsonObject | null;
  /** What an event tells of the use so far. */
  amounts(value: JsonObject): Amounts | null;
  /** The text that an event adds to the reply. */
  texts(value: JsonObject): string[];
  /** Whether an event stays back until the reply is paid for; and whether it is the very last. */
  holds(event: SseEvent, value: JsonObject | null): "no" | "held" | "last";
  /** What the bytes of events that must be read have in them. */
  marks: readonly Buffer[];
  /** What ends every reply, after what was held. */
  farewell: string;
  /** The event with the cost in it, and with what we counted where it told nothing. */
  priced(value: JsonObject, costUsd: number, measured: Measured): JsonObject;
  /** An event that tells the use beside other things, as two events; null where it does not. */
  split(value: JsonObject): { shown: JsonObject; use: JsonObject } | null;
  /** An event that tells the use of a reply that told none, made from an earlier event of it; null where the dialect has no such event. */
  use(earlier: JsonObject): JsonObject | null;
  /** The name of the model in an event, where it tells one. */
  model(value: JsonObject): unknown;
};

export type SseMeterOptions = {
  words: EventWords;
  /** What the prompt comes to where the reply does not say. */
  countPrompt(): Promise<number>;
  /** Whether the client gets the events that tell the use. */
  showsUse: boolean;
  /** The name to show instead of the upstream's; null leaves it. */
  alias: string | null;
};

const keptBytes = 64 * 1024;
const longestEvent = 8 * 1024 * 1024;
const usage = Buffer.from('"usage"');
const error = Buffer.from('"error"');
const none = Buffer.alloc(0);
const blankLine = Buffer.from("\n\n");
const endings = [Buffer.from("\n\n"), Buffer.from("\r\n\r\n")];

/** Follows a stream of events: bytes pass as they are, except where an event matters to money, ends the reply, or tells an error. */
export class SseMeter implements StreamMeter {
  readonly #options: SseMeterOptions;
  /** The beginning of an event whose end has not come. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #tail: Buffer = none;
  #told: Amounts = {};
  #held: { event: SseEvent; value: JsonObject | null }[] = [];
  #sawLast = false;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;
  #newest: Buffer | null = null;
  #renames: [from: string, to: string][] | null = null;

  constructor(options: SseMeterOptions) {
    this.#options = options;
  }

  pass(piece: Uint8Array): Uint8Array | null {
    const fresh = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const seam = this.#tail.length === 0 ? fresh : Buffer.concat([this.#tail, fresh]);
    if (lastEnd(seam) === 0) {
      this.#tail = seam.subarray(-3);
      this.#rest.push(fresh);
      this.#restBytes += fresh.length;
      if (this.#restBytes > longestEvent) throw new BrokenReply({ class: "transient", cause: "an event of the stream is too long" });
      return null;
    }
    // Joined once, when the end is there: joining at each piece takes the square of the length.
    const bytes = this.#rest.length === 0 ? fresh : Buffer.concat([...this.#rest, fresh]);
    const end = lastEnd(bytes);
    this.#rest = end === bytes.length ? [] : [bytes.subarray(end)];
    this.#restBytes = bytes.length - end;
    this.#tail = bytes.subarray(Math.max(end, bytes.length - 3));
    const events = end === bytes.length ? bytes : bytes.subarray(0, end);
    const out = this.#needsReading(events) ? this.#read(events) : events;
    if (out === null) return null;
    this.#keep(out);
    return this.#renamed(out);
  }

  isWhole(): boolean {
    if (this.#sawLast || this.#held.length > 0) return true;
    return this.#newest !== null && /"finish_reason":\s?"/.test(this.#newest.toString("latin1"));
  }

  flush(): Uint8Array | null {
    if (this.#rest.length === 0) return null;
    const events = new SseEvents().push(Buffer.concat([...this.#rest, blankLine]));
    // Half an event is none.
    const isComplete = events.every(({ data }) => data === "[DONE]" || parseObject(data) !== null);
    return isComplete ? this.pass(blankLine) : null;
  }

  told(): Amounts | null {
    return this.#told.outputTokens === undefined ? null : this.#told;
  }

  async counted(): Promise<Amounts> {
    const texts: string[] = [];
    const reader = new SseEvents();
    for (const bytes of this.#kept) {
      for (const { data } of reader.push(bytes)) texts.push(...this.#options.words.texts(parseObject(data) ?? {}));
    }
    const counted = await countTokens([texts.join("")]);
    const outputTokens = this.#keptBytes === 0 ? 0 : Math.round((counted * this.#bytes) / this.#keptBytes);
    return { outputTokens, inputTokens: await this.#options.countPrompt(), ...this.#told };
  }

  last(costUsd: number, measured: Measured): Uint8Array {
    const { words, showsUse } = this.#options;
    const held = showsUse ? [...this.#held, ...this.#missingUse()] : [];
    const texts = held.map(({ event, value }) =>
      sseText(value === null ? event.data : words.priced(value, costUsd, measured), event.event ?? undefined),
    );
    return this.#renamed(Buffer.from(texts.join("") + words.farewell));
  }

  #missingUse(): { event: SseEvent; value: JsonObject | null }[] {
    const [first] = this.#kept;
    if (this.told() !== null || first === undefined) return [];
    const [event] = new SseEvents().push(first);
    const value = event === undefined ? null : this.#options.words.use(parseObject(event.data) ?? {});
    return value === null ? [] : [{ event: { event: null, data: "" }, value }];
  }

  #needsReading(events: Buffer): boolean {
    if (this.#renames === null && this.#options.alias !== null) return true;
    if (events.includes(error) || this.#options.words.marks.some((mark) => events.includes(mark))) return true;
    for (let at = events.indexOf(usage); at >= 0; at = events.indexOf(usage, at + usage.length)) {
      let next = at + usage.length;
      while (events[next] === 0x3a || events[next] === 0x20) next++;
      if (events[next] === 0x7b) return true;
    }
    return false;
  }

  #read(events: Buffer): Buffer | null {
    const { words } = this.#options;
    const found = new SseEvents().push(events);
    let held = false;
    const passed: SseEvent[] = [];
    for (const event of found) {
      const value = parseObject(event.data);
      if (value !== null) this.#learn(value);
      const hold = words.holds(event, value);
      const parts = hold === "no" && value !== null ? words.split(value) : null;
      if (hold === "no" && parts === null) {
        passed.push(event);
        continue;
      }
      held = true;
      if (parts !== null) {
        passed.push({ event: event.event, data: JSON.stringify(parts.shown) });
        // Upstreams that tell the use all the time mean the last one.
        this.#held = [{ event: { event: null, data: "" }, value: parts.use }];
        continue;
      }
      if (hold === "last") this.#sawLast = true;
      if (event.data !== "[DONE]") this.#held.push({ event, value });
    }
    if (!held) return events;
    if (passed.length === 0) return null;
    return Buffer.from(passed.map(({ event, data }) => sseText(data, event ?? undefined)).join(""));
  }

  #learn(value: JsonObject): void {
    const failure = this.#options.words.failure(value);
    if (failure !== null) throw new BrokenReply(brokenBy(failure));
    const amounts = this.#options.words.amounts(value);
    if (amounts !== null) this.#told = { ...this.#told, ...amounts };
    const { alias } = this.#options;
    if (this.#renames !== null || alias === null) return;
    const name = this.#options.words.model(value);
    if (typeof name !== "string") return;
    const [from, to] = [latin1(JSON.stringify(name)), latin1(JSON.stringify(alias))];
    this.#renames = name === alias ? [] : ["", " "].map((space) => [`"model":${space}${from}`, `"model":${space}${to}`]);
  }

  #renamed(out: Buffer): Buffer {
    if (this.#renames === null || this.#renames.length === 0) return out;
    let text = out.toString("latin1");
    for (const [from, to] of this.#renames) text = text.replaceAll(from, to);
    return Buffer.from(text, "latin1");
  }

  #keep(out: Buffer): void {
    this.#newest = out;
    this.#bytes += out.length;
    if (this.#keptBytes + out.length > keptBytes) return;
    this.#kept.push(out);
    this.#keptBytes += out.length;
  }
}

// UTF-8 seen byte by byte, so that it can be looked for in text that was read the same way.
function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function lastEnd(bytes: Buffer): number {
  let end = 0;
  for (const ending of endings) {
    const at = bytes.lastIndexOf(ending);
    if (at >= 0) end = Math.max(end, at + ending.length);
  }
  return end;
}

function isPlain(word: unknown): boolean {
  return typeof word === "number" || (typeof word === "string" && /^[\w.-]{1,60}$/.test(word));
}

function brokenBy(told: JsonObject): { class: "transient" | "rate_limit" | "content_policy"; cause: string } {
  // Its message may repeat keys and addresses.
  const cause = `the stream told an error: ${[told["type"], told["code"], told["status"]].filter(isPlain).join(" ")}`;
  if (/rate_limit/.test(cause)) return { class: "rate_limit", cause };
  return { class: /content_filter|content_policy/.test(cause) ? "content_policy" : "transient", cause };
}
