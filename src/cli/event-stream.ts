/** One server-sent event. */
export type StreamEvent = { event: string; data: string };

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

function parseBlock(block: string): StreamEvent | null {
  const data: string[] = [];
  let event = "message";
  for (const line of block.split(/\r?\n/)) {
    const [, name = "", value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") data.push(value);
    if (name === "event") event = value;
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
}
