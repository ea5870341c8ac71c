import type { ServerResponse } from "node:http";

const silenceMs = 15_000;
const lookEveryMs = 5_000;

type Stream = { raw: ServerResponse; movedAt: number };

const streams = new Set<Stream>();
let ticker: NodeJS.Timeout | null = null;

/** Keeps a stream of events alive for whoever sits between: a comment whenever it has been silent for a while. One clock serves all streams. */
export function beat(raw: ServerResponse): { moved(): void; stop(): void } {
  const stream = { raw, movedAt: performance.now() };
  streams.add(stream);
  ticker ??= setInterval(look, lookEveryMs).unref();
  return {
    moved() {
      stream.movedAt = performance.now();
    },
    stop() {
      streams.delete(stream);
      if (streams.size > 0 || ticker === null) return;
      clearInterval(ticker);
      ticker = null;
    },
  };
}

function look(): void {
  const now = performance.now();
  for (const stream of streams) {
    if (now - stream.movedAt < silenceMs) continue;
    stream.movedAt = now;
    stream.raw.write(": still here\n\n");
  }
}
