import type { JsonObject } from "../core/call.ts";
import type { Bridge, StreamTranslator } from "./bridge.ts";
import { createBridges } from "./bridges.ts";
import { parseObject } from "./json-reading.ts";
import type { Mint } from "./mint.ts";
import { SseEvents } from "./sse-events.ts";

/** Ids that count up, and a time that stands still. */
export function countingMint(): Mint {
  let count = 0;
  return { id: () => String(++count), nowMs: () => 1_700_000_000_500 };
}

/** A bridge with counted ids. */
export function testBridge(from: string, to: string): Bridge {
  const found = createBridges(countingMint()).find((bridge) => bridge.from === from && bridge.to === to);
  if (found === undefined) throw new Error(`there is no bridge from ${from} to ${to}`);
  return found;
}

/** Everything a translator writes for these events of a provider: objects as JSON, text as it is. */
export function translateAll(translator: StreamTranslator, events: readonly (JsonObject | string)[]): string {
  const written = events.map((event) => {
    const data = typeof event === "string" ? event : JSON.stringify(event);
    return translator.event(typeof event === "object" && typeof event.type === "string" ? event.type : null, data);
  });
  return written.join("") + translator.end();
}

/** The data of written events, parsed where it is JSON. */
export function readData(text: string): JsonObject[] {
  return new SseEvents().push(text).map(({ data }) => (data === "[DONE]" ? { done: true } : (parseObject(data) ?? {})));
}

/** Chunks of a chat completion with these deltas, a reason and usage. */
export function chatChunks(deltas: readonly JsonObject[], finishReason: string, usage: JsonObject | null = null): (JsonObject | string)[] {
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    id: "chatcmpl-up",
    object: "chat.completion.chunk",
    created: 1,
    model: "upstream-model",
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, finishReason),
    ...(usage === null ? [] : [{ id: "chatcmpl-up", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage }]),
    "[DONE]",
  ];
}

/** A `fetch` that answers every request with this text. */
export function answering(text: string, type = "text/event-stream"): typeof globalThis.fetch {
  return () => Promise.resolve(new Response(text, { headers: { "content-type": type } }));
}

export const tinyPng = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";
