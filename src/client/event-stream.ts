/** One server-sent event. */
export type StreamEvent = { id: string | null; event: string; data: string };

/** Reads server-sent events as they come; `onBytes` hears of everything, comments that only show life among it. */
export async function* readEvents(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<StreamEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const found = parseBlock(block);
        if (found !== null) yield found;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): StreamEvent | null {
  const data: string[] = [];
  let event = "message";
  let id: string | null = null;
  for (const line of block.split(/\r?\n/)) {
    const [, name = "", value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") data.push(value);
    if (name === "event") event = value;
    if (name === "id") id = value;
  }
  return data.length === 0 ? null : { id, event, data: data.join("\n") };
}
