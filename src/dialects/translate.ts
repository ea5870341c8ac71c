import { BrokenReply } from "../core/call.ts";
import type { StreamTranslator } from "./bridge.ts";
import { parseObject } from "./json-reading.ts";
import { SseEvents } from "./sse-events.ts";

const longestLine = 8 * 1024 * 1024;

/** A streamed reply in another dialect, as it comes. */
export async function* translatePieces(
  pieces: AsyncIterable<Uint8Array>,
  translator: StreamTranslator,
  framing: "events" | "lines",
): AsyncGenerator<Uint8Array> {
  const read = framing === "events" ? readEvents(translator) : readLines(translator);
  for await (const piece of pieces) {
    const text = read.push(piece);
    if (text !== "") yield Buffer.from(text);
  }
  const rest = read.end() + translator.end();
  if (rest !== "") yield Buffer.from(rest);
}

type Reader = { push(piece: Uint8Array): string; end(): string };

function readEvents(translator: StreamTranslator): Reader {
  const events = new SseEvents();
  const translated = (found: ReturnType<SseEvents["push"]>) => {
    let text = "";
    for (const { event, data } of found) text += translator.event(event, data);
    return text;
  };
  return {
    push: (piece) => translated(events.push(piece)),
    end() {
      const rest = events.end();
      if (rest.some(({ data }) => data !== "[DONE]" && parseObject(data) === null)) throw cutShort();
      return translated(rest);
    },
  };
}

function readLines(translator: StreamTranslator): Reader {
  const decoder = new TextDecoder();
  let line = "";
  const take = (text: string) => {
    const lines = (line + text).split("\n");
    line = lines.pop() ?? "";
    if (line.length > longestLine) throw new BrokenReply({ class: "transient", cause: "a line of the stream is too long" });
    let out = "";
    for (const one of lines) if (one.trim() !== "") out += translator.event(null, one.trim());
    return out;
  };
  return {
    push: (piece) => take(decoder.decode(piece, { stream: true })),
    end() {
      const rest = (line + decoder.decode()).trim();
      if (rest !== "" && parseObject(rest) === null) throw cutShort();
      return rest === "" ? "" : translator.event(null, rest);
    },
  };
}

function cutShort(): BrokenReply {
  return new BrokenReply({ class: "transient", cause: "the stream ended in the middle of an event" });
}
