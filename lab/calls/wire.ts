import type { ServerResponse } from "node:http";
import type { Plan } from "./plan.ts";
import type { CallReply, Frame } from "./upstream.ts";

type Frames = Extract<CallReply, { form: "frames" }>;

export const mimeOfWire: Record<Frames["wire"], string> = {
  sse: "text/event-stream; charset=utf-8",
  lines: "application/x-ndjson",
  array: "application/json; charset=UTF-8",
};

/** A stream's frames as text, laid out as the plan has it. */
export function createLayout(wire: Frames["wire"], plan: Plan): { frame(frame: Frame): string; end: string } {
  if (wire === "lines") return { frame: ({ data }) => `${data}\n`, end: "" };
  return wire === "array" ? arrayLayout() : eventLayout(plan);
}

function eventLayout({ isCrlf, hasComments }: Plan) {
  const newline = isCrlf ? "\r\n" : "\n";
  const comment = hasComments ? `: keep-alive${newline}${newline}` : "";
  const named = (event: string | undefined) => (event === undefined ? "" : `event: ${event}${newline}`);
  return { frame: ({ data, event }: Frame) => `${comment}${named(event)}data: ${data}${newline}${newline}`, end: "" };
}

// Gemini's streams without `alt=sse` are one JSON array.
function arrayLayout() {
  let isFirst = true;
  const frame = ({ data }: Frame) => {
    const text = `${isFirst ? "[" : ",\r\n"}${data}`;
    isFirst = false;
    return text;
  };
  return { frame, end: "]" };
}

/** Writes pieces with backpressure, and counts the words that reached the wire. */
export type Pipe = {
  /** False when the pipe is full. */
  write(piece: string | Uint8Array, words: number): boolean;
  /** Waits until there is room again, or the client has gone. */
  drained(): Promise<void>;
  /** Waits until all that was written has left, or the client has gone. */
  flushed(): Promise<void>;
};

export function createPipe(response: ServerResponse, count: (words: number) => void): Pipe {
  let pending = 0;
  let waiting: (() => void) | null = null;
  const wake = () => {
    waiting?.();
    waiting = null;
  };
  response.once("close", wake);
  return {
    write(piece, words) {
      pending++;
      return response.write(piece, (error) => {
        pending--;
        if (!error) count(words);
        if (pending === 0) wake();
      });
    },
    drained: () => untilDrained(response),
    flushed: () =>
      pending === 0 || response.closed
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting = resolve;
          }),
  };
}

/** Waits until there is room again, or the client has gone. */
export function untilDrained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}

/** Waits, but not for a client that has gone. */
export function pause(response: ServerResponse, ms: number): Promise<void> {
  if (ms <= 0 || response.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      response.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    response.once("close", done);
  });
}
