import { chunksOf, readEvents as readStream, type StreamEvent } from "../../../src/client/event-stream.ts";
import { ApiError } from "./api-error.ts";
import { send } from "./client.ts";

/** Reads a stream of server-sent events; headers are needed, so that EventSource will not do. */
export async function* readEvents({ body }: Response): AsyncGenerator<StreamEvent, void> {
  if (body !== null) yield* readStream(chunksOf(body, () => undefined));
}

const longestPauseMs = 15_000;

/** Follows a stream and takes it up again where it broke off, until the handler says that it has seen the end. */
export async function followEvents(
  path: string,
  signal: AbortSignal,
  onEvent: (event: StreamEvent) => "more" | "end",
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
        last = event.id ?? last;
        if (onEvent(event) === "end") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isHopeless(error, failures)) throw error;
    }
    if (signal.aborted) return;
    await pause(Math.min(500 * 2 ** failures, longestPauseMs), signal);
  }
}

const mostFailures = 8;

/** Whether nothing is gained by asking again after so many failures before. */
export function isHopeless(error: unknown, failures: number): boolean {
  return failures >= mostFailures || isRefused(error);
}

/** What was refused once will be refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
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
