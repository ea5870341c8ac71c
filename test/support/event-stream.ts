export type StreamEvent = { id: string; event: string; data: Record<string, unknown> };

/** Reads server-sent events until the stream ends or `enough` says so. */
export async function readEvents(
  url: string,
  {
    headers = {},
    enough = () => false,
    timeoutMs = 30_000,
  }: { headers?: Record<string, string>; enough?: (events: StreamEvent[]) => boolean; timeoutMs?: number } = {},
): Promise<{ status: number; headers: Headers; events: StreamEvent[]; ended: boolean }> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`the stream went on for ${timeoutMs / 1000} s`)), timeoutMs);
  const reply = await fetch(url, { headers: { accept: "text/event-stream", ...headers }, signal: controller.signal });
  const events: StreamEvent[] = [];
  let rest = "";
  try {
    for await (const chunk of (reply.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      rest += chunk;
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      events.push(...blocks.flatMap(eventOf));
      if (enough(events)) return { status: reply.status, headers: reply.headers, events, ended: false };
    }
    return { status: reply.status, headers: reply.headers, events, ended: true };
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function eventOf(block: string): StreamEvent[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  const data = field("data");
  return data === undefined
    ? []
    : [{ id: field("id") ?? "", event: field("event") ?? "message", data: JSON.parse(data) as Record<string, unknown> }];
}
