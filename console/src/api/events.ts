import { ApiError } from "./api-error.ts";
import { send } from "./client.ts";

/** One server-sent event. */
export type ServerEvent = { id: string; event: string; data: string };

/** Reads a stream of server-sent events; headers are needed, so that EventSource will not do. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event.data !== "") yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): ServerEvent {
  const event: ServerEvent = { id: "", event: "message", data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") event.data += event.data === "" ? value : `\n${value}`;
    if (name === "id") event.id = value;
    if (name === "event") event.event = value;
  }
  return event;
}

const longestPauseMs = 15_000;

/** Follows a stream and takes it up again where it broke off, until the handler says that it has seen the end. */
export async function followEvents(
  path: string,
  signal: AbortSignal,
  onEvent: (event: ServerEvent) => "more" | "end",
  headers: Record<string, string> = {},
): Promise<void> {
  let last = "";
  for (let failures = 0; ; failures++) {
    try {
      const response = await send(path, {
        signal,
        headers: { ...headers, accept: "text/event-stream", ...(last !== "" && { "last-event-id": last }) },
      });
      for await (const event of readEvents(response)) {
        failures = 0;
        last = event.id || last;
        if (onEvent(event) === "end") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (failures >= 8 || isRefused(error)) throw error;
    }
    if (signal.aborted) return;
    await pause(Math.min(500 * 2 ** failures, longestPauseMs), signal);
  }
}

/** What was refused once will be refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
