import type { Dispatcher } from "undici";
import { errorCode } from "../../kit/error-code.ts";
import { mediumType } from "./reply.ts";
import type { UpstreamReply } from "./reply.ts";

export type ExchangeRequest = {
  origin: string;
  path: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  headers: Record<string, string>;
  body: Buffer | null;
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
};

/** Sends one request once and tells how far it got; never throws. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<UpstreamReply> {
  return new Promise((resolve) => {
    const { origin, path, method, headers, body } = request;
    const attempt = createAttempt(request, resolve);
    if (request.signal.aborted) return attempt.stop("the work was stopped");
    try {
      dispatcher.dispatch({ origin, path, method, headers, body }, attempt.handler);
    } catch (error) {
      attempt.stop(explain(error));
    }
  });
}

function createAttempt(request: ExchangeRequest, resolve: (reply: UpstreamReply) => void) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let head: { status: number; headers: Record<string, string> } | null = null;
  let controller: Dispatcher.DispatchController | null = null;
  let settled = false;

  const settle = (reply: UpstreamReply) => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    request.signal.removeEventListener("abort", cancel);
    resolve(reply);
  };
  const fail = (cause: string) => {
    // Whoever says "your request is wrong" has said it with the first line.
    if (head && head.status >= 400 && head.status < 500) settle(answered(head, chunks));
    else settle({ state: controller === null ? "not-sent" : "lost", cause });
  };
  const stop = (cause: string) => {
    fail(cause);
    controller?.abort(new Error(cause));
  };
  const cancel = () => stop("the work was stopped");
  const timer = setTimeout(() => stop(`no whole answer within ${request.timeoutMs} ms`), request.timeoutMs);
  request.signal.addEventListener("abort", cancel, { once: true });

  const handler: Dispatcher.DispatchHandler = {
    // Called before the first byte is written; a second call would be the client's own repetition.
    onRequestStart(control) {
      if (settled || controller !== null) control.abort(new Error("the request is over"));
      else controller = control;
    },
    onResponseStart(_control, status, headers) {
      if (status >= 200) head = { status, headers: flattened(headers) };
    },
    onResponseData(_control, chunk) {
      bytes += chunk.byteLength;
      if (bytes > request.maxBytes) stop(`the answer is larger than ${request.maxBytes} bytes`);
      else chunks.push(chunk);
    },
    onResponseEnd: () => (head ? settle(answered(head, chunks)) : fail("the answer has no status")),
    onResponseError: (_control, error) => fail(explain(error)),
  };
  return { handler, stop };
}

function answered(head: { status: number; headers: Record<string, string> }, chunks: Buffer[]): UpstreamReply {
  const bytes = Buffer.concat(chunks);
  // A medium is long and says nothing as text; an error may come under its type all the same.
  const isText = !mediumType.test(head.headers["content-type"] ?? "") || bytes[0] === openingBrace;
  const text = isText ? new TextDecoder().decode(bytes) : "";
  return { state: "answered", ...head, body: parsed(text), text, bytes, secrets: [] };
}

const openingBrace = 0x7b;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Headers with one text each. */
export function flattened(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

/** An error in one line, with its code. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  return [code, error.message].filter((part) => part !== "").join(": ") || error.name;
}
