import type { Bridge, StreamTranslator } from "./bridge.ts";
import { SseEvents, type SseEvent } from "./sse-events.ts";

/** Two bridges as one: the second serves what the first asks for. */
export function chain(first: Bridge, second: Bridge): Bridge {
  return {
    from: first.from,
    to: second.to,
    request: (body) => second.request(first.request(body)),
    reply: (value, asked) => first.reply(second.reply(value, first.request(asked)), asked),
    stream: (asked) => chainStreams(first.stream(asked), second.stream(first.request(asked))),
  };
}

function chainStreams(first: StreamTranslator, second: StreamTranslator): StreamTranslator {
  // Our own text: what is inside an event was bounded when it was read.
  const between = new SseEvents(Infinity);
  const onwards = (events: SseEvent[]): string => events.map(({ event, data }) => first.event(event, data)).join("");
  return {
    event: (name, data) => onwards(between.push(second.event(name, data))),
    end: () => onwards(between.push(second.end())) + first.end(),
  };
}
