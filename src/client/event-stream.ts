/** One server-sent event; its id is there when the stream gives one. */
export type StreamEvent = { id?: string; event: string; data: string };

/** Reads server-sent events as they come; comments, such as heartbeats, only show that the stream is alive. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const found = parseBlock(block);
      if (found !== null) yield found;
    }
  }
}

/** The bytes of a body, in browsers too, where it cannot be iterated everywhere; `onBytes` hears of each portion. */
export async function* chunksOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): StreamEvent | null {
  const data: string[] = [];
  let event = "message";
  let id: string | undefined;
  for (const line of block.split(/\r?\n/)) {
    const [, name = "", value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") data.push(value);
    if (name === "event") event = value;
    if (name === "id") id = value;
  }
  return data.length === 0 ? null : { ...(id !== undefined && { id }), event, data: data.join("\n") };
}
